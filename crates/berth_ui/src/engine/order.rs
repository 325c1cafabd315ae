//! Sorting.

use std::cmp::Ordering;

use berth_core::collections::sort_by;

/// The items in order; equal ones stay as they are.
pub(crate) fn sorted<T: Copy>(items: &[T], compare: impl Fn(&T, &T) -> Ordering) -> Vec<T> {
    let mut sorted = items.to_vec();
    sort_by(&mut sorted, compare);
    sorted
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
