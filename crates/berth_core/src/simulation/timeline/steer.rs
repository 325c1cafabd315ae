//! What those need who go along a timeline with others waiting for them, and who try things out on it.

use super::{BranchId, Timeline};
use crate::queue::Instant;

impl Timeline {
    /// Goes on towards a moment of this branch, for as long as `more` says so after each step, and from then to the end of
    /// the instant that was reached. False if the moment has not been reached.
    pub fn go_towards(&mut self, at: Instant, mut more: impl FnMut() -> bool) -> bool {
        let id = self.branch_at(at);
        let Some(branch) = self.branches.get_mut(id.at()) else { return true };
        let mut goes_on = true;
        while let Some(next) = branch.frontier.next_at().filter(|next| *next <= at) {
            if !goes_on && next > branch.frontier.now() {
                self.state = branch.frontier.clone();
                return false;
            }
            branch.step();
            goes_on = goes_on && more();
        }
        self.seek(at);
        true
    }

    /// Begins a branch at the moment that is looked at: what was asked for later does not come about on it. Gives the branch.
    pub fn fork(&mut self) -> BranchId {
        let parent = self.branch_at(self.state.now());
        self.branch(parent, self.state.clone());
        self.current
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::{Kind, Node, Object, ObjectKey, ObjectMeta, Pod};
    use crate::framework::config::Configuration;
    use crate::queue::time::SECOND;
    use crate::simulation::{Command, Event, Parameters, Simulation};
    use alloc::sync::Arc;
    use alloc::vec::Vec;

    fn timeline() -> Timeline {
        let named = |name: &str| ObjectMeta { name: name.into(), ..ObjectMeta::default() };
        let node = Node { metadata: named("n"), ..Node::default() };
        let pod = Pod { metadata: named("p"), ..Pod::default() };
        let objects = [Object::Node(Arc::new(node)), Object::Pod(Arc::new(pod))];
        let begun = Simulation::new(objects, &Configuration::default(), Parameters::default());
        Timeline::new(begun.expect("it can be run"))
    }

    #[test]
    fn what_is_reached_in_slices_is_what_is_reached_at_once() {
        let (mut whole, mut sliced) = (timeline(), timeline());
        let end = Instant(20 * SECOND);
        whole.seek(end);
        let mut slices = 1;
        while !sliced.go_towards(end, || false) {
            assert!(sliced.now() < end);
            // Nothing of the instant is left over.
            assert!(sliced.state().next_at().is_some_and(|next| next > sliced.now()));
            slices += 1;
        }
        assert!(slices > 5, "{slices}");
        assert_eq!((sliced.now(), sliced.state().steps()), (end, whole.state().steps()));
        let events = |timeline: &Timeline| timeline.events().cloned().collect::<Vec<_>>();
        assert_eq!(events(&sliced), events(&whole));
        // Back to where it has been already.
        assert!(sliced.go_towards(Instant(SECOND), || false));
        assert_eq!(sliced.now(), Instant(SECOND));
    }

    #[test]
    fn another_course_of_events_leaves_the_first_alone() {
        let mut both = timeline();
        both.seek(Instant(5 * SECOND));
        let first: Vec<Event> = both.events().cloned().collect();
        let key = ObjectKey::new("", "n");
        let mut begin = timeline().state().clone();
        begin.plan(
            Instant(SECOND),
            Command::Delete { kind: Kind::Node, key, grace_period_seconds: None },
        );
        let other = both.begin_another(begin);
        assert_eq!((both.now(), both.parent(other)), (Instant(0), None));
        both.seek(Instant(5 * SECOND));
        assert!(both.state().objects().node("n").is_none());
        assert!(both.switch(BranchId::TRUNK));
        assert!(both.state().objects().node("n").is_some());
        assert_eq!(both.events().cloned().collect::<Vec<_>>(), first);
    }

    #[test]
    fn a_fork_leaves_out_what_was_asked_for_later() {
        let mut timeline = timeline();
        timeline.seek(Instant(5 * SECOND));
        let key = ObjectKey::new("", "n");
        let delete = Command::Delete { kind: Kind::Node, key, grace_period_seconds: None };
        let trunk = timeline.act(delete);
        timeline.seek(Instant(9 * SECOND));
        assert!(timeline.state().objects().node("n").is_none());
        timeline.seek(Instant(4 * SECOND));
        let fork = timeline.fork();
        assert_eq!(timeline.parent(fork), Some((trunk, Instant(4 * SECOND))));
        timeline.seek(Instant(9 * SECOND));
        assert!(timeline.state().objects().node("n").is_some());
        assert_eq!(timeline.acted().count(), 0);
        assert!(timeline.switch(trunk));
        assert!(timeline.state().objects().node("n").is_none());
    }
}
