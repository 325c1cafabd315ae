//! Sorting.

use std::cmp::Ordering;

/// The items in order; equal ones stay as they are.
///
/// All lists are sorted by one function over indices: the standard library's sort is several
/// kilobytes of code for each type it sorts, and the page would carry a dozen of them.
pub(super) fn sorted<T: Copy>(items: &[T], compare: impl Fn(&T, &T) -> Ordering) -> Vec<T> {
    let order = indices(items.len(), &|a, b| match (items.get(a), items.get(b)) {
        (Some(a), Some(b)) => compare(a, b),
        _ => Ordering::Equal,
    });
    order.into_iter().filter_map(|index| items.get(index).copied()).collect()
}

fn indices(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_unstable_by(|a, b| compare(*a, *b).then(a.cmp(b)));
    order
}

#[cfg(test)]
mod tests {
    //! Order and stability.
    use super::sorted;

    #[test]
    fn equal_items_stay_in_their_order() {
        let items = [(2, 'a'), (1, 'b'), (2, 'c'), (1, 'd')];
        let sorted: String =
            sorted(&items, |a, b| a.0.cmp(&b.0)).iter().map(|item| item.1).collect();
        assert_eq!(sorted, "bdac");
    }
}
