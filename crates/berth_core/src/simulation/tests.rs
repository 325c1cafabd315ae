//! The machinery: who hears when, and what a controller can do.

use alloc::string::String;
use alloc::vec;

use super::*;
use crate::api::{Kind, Node, ObjectMeta, Pod, Time};
use crate::apiserver::DeleteOptions;

/// Labels every pod once, fails the first time, and looks again a second later.
#[derive(Clone, Debug, Default)]
struct Labeller {
    syncs: Vec<(i64, String)>,
}

impl Controller for Labeller {
    fn watches(&self) -> &'static [Kind] {
        &[Kind::Pod]
    }

    fn observe(&mut self, change: &Change, context: &mut Context<'_>) {
        context.queue.add(WorkItem::new(0, change.object.key()));
    }

    fn sync(&mut self, item: &WorkItem, context: &mut Context<'_>) -> Result<(), server::ApiError> {
        self.syncs.push((context.now().0, item.key.name.clone()));
        let Some(pod) = context.cache.pod(&item.key) else { return Ok(()) };
        if pod.metadata.labels.get("seen").is_some() {
            return Ok(());
        }
        let mut object = Object::Pod(Arc::clone(pod));
        let labels = &mut server::metadata_mut(&mut object).labels;
        labels.insert("seen".into(), "true".into());
        if self.syncs.len() == 1 {
            server::metadata_mut(&mut object).resource_version = "0".into();
        }
        context.server.update(object, server::Part::Main)?;
        context.queue.add_at(context.now().after(SECOND), item.clone());
        Ok(())
    }

    fn clone_box(&self) -> Box<dyn Controller> {
        Box::new(self.clone())
    }
}

fn pod(name: &str, node: &str) -> Object {
    let mut pod = Pod {
        metadata: ObjectMeta { name: name.into(), ..ObjectMeta::default() },
        ..Pod::default()
    };
    pod.spec.node_name = node.into();
    pod.spec.termination_grace_period_seconds = Some(30);
    Object::Pod(Arc::new(pod))
}

fn node(name: &str) -> Object {
    let metadata = ObjectMeta { name: name.into(), ..ObjectMeta::default() };
    Object::Node(Arc::new(Node { metadata, ..Node::default() }))
}

#[test]
fn a_controller_hears_late_and_tries_again() {
    let controllers: Vec<(Box<dyn Controller>, i64)> = vec![(Box::new(Labeller::default()), 2_000)];
    let start = [node("n1"), pod("a", "n1")];
    let mut simulation = Simulation::with_controllers(
        start,
        &Configuration::default(),
        Parameters::default(),
        controllers,
    )
    .expect("profiles can run");
    simulation.run_until(Instant(10 * SECOND));
    let text = alloc::format!("{:?}", simulation.components);
    // At its start, which fails; 5 ms later; when it hears of what it wrote; a second after that.
    let after = 2_000 + 5_000_000;
    let heard = after + 2_000;
    let want = alloc::format!(
        "syncs: [(2000, \"a\"), ({after}, \"a\"), ({heard}, \"a\"), ({}, \"a\")]",
        after + SECOND
    );
    assert!(text.contains(&want), "{text}");
}

#[test]
fn a_pod_lives_and_ends() {
    let parameters = Parameters { epoch: Time(1_000), ..Parameters::default() };
    let mut simulation =
        Simulation::new([node("n1"), pod("a", "n1")], &Configuration::default(), parameters)
            .expect("profiles can run");
    let key = ObjectKey::new("default", "a");
    let stored = simulation.objects().pod(&key).expect("it is there");
    assert!(stored.is_ready());
    assert_eq!(stored.status.start_time, Some(Time(990)));
    simulation.run_until(Instant(3 * SECOND));
    let at = simulation.now();
    simulation.plan(
        at,
        Command::Delete { kind: Kind::Pod, key: key.clone(), grace_period_seconds: None },
    );
    simulation.run_until(Instant(3 * SECOND + SECOND / 2));
    assert!(simulation.objects().pod(&key).is_some());
    simulation.run_until(Instant(3 * SECOND + SECOND / 2 + 500));
    assert!(simulation.objects().pod(&key).is_none());
    let events: Vec<_> = simulation.take_events().into_iter().map(|event| event.what).collect();
    let deleting = What::Deleting { node: "n1".into(), grace: 30, reason: String::new() };
    assert_eq!(events, [deleting, What::Deleted { node: "n1".into() }]);
    let refused = simulation.server.delete(Kind::Pod, &key, &DeleteOptions::default());
    assert_eq!(alloc::format!("{}", refused.expect_err("it is gone")), "pods \"a\" not found");
}
