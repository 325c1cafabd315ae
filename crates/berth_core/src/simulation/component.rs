//! A controller with all that is its own: its cache, its queue, its watches.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::controller::{Context, Controller};
use super::objects::Objects;
use super::server::{Change, Server};
use super::watch::Watch;
use super::work_queue::{WorkItem, WorkQueue};
use crate::queue::Instant;

/// How often a controller may work at keys in one instant before it is taken to be in a loop that never ends.
const MOST_IN_A_ROW: u32 = 100_000;

/// A controller of the cluster.
#[derive(Clone, Debug)]
pub(super) struct Component {
    controller: Box<dyn Controller>,
    cache: Objects,
    queue: WorkQueue,
    watches: Vec<Watch>,
    started: bool,
}

impl Component {
    /// A controller that hears of pods so many nanoseconds late.
    pub(super) fn new(controller: Box<dyn Controller>, lag: i64) -> Self {
        let queue = WorkQueue::new(controller.retries());
        let watches = controller.watches().iter().map(|kind| Watch::new(*kind, lag)).collect();
        Self { controller, cache: Objects::default(), queue, watches, started: false }
    }

    /// When it hears of a write, if it does.
    pub(super) fn hear(&mut self, change: &Change) -> Option<Instant> {
        let kind = change.object.kind();
        let watch = self.watches.iter_mut().find(|watch| watch.kind() == kind)?;
        Some(watch.hear(change.at))
    }

    /// Hears of a write.
    pub(super) fn observe(&mut self, change: &Arc<Change>, server: &mut Server) {
        match change.present() {
            Some(object) => drop(self.cache.insert(object.clone())),
            None => drop(self.cache.remove(change.object.kind(), &change.object.key())),
        }
        let Self { controller, cache, queue, .. } = self;
        controller.observe(change, &mut Context { cache, server, queue });
        self.work(server);
    }

    /// Its workers begin.
    pub(super) fn start(&mut self, server: &mut Server) {
        self.started = true;
        let Self { controller, cache, queue, .. } = self;
        controller.start(&mut Context { cache, server, queue });
        self.work(server);
    }

    /// A key comes in that was to come later.
    pub(super) fn wake(&mut self, item: WorkItem, server: &mut Server) {
        if self.queue.arrive(server.now(), item) {
            self.work(server);
        }
    }

    /// What is to come in later.
    pub(super) fn take_later(&mut self) -> Vec<(Instant, WorkItem)> {
        self.queue.take_later()
    }

    /// Shares what it knows with what is stored, where they are the same.
    pub(super) fn share(&mut self, stored: &Objects) {
        self.cache.share(stored);
    }

    fn work(&mut self, server: &mut Server) {
        if !self.started {
            return;
        }
        for _ in 0..MOST_IN_A_ROW {
            let Some(item) = self.queue.pop() else { return };
            let Self { controller, cache, queue, .. } = self;
            match controller.sync(&item, &mut Context { cache, server, queue }) {
                Ok(()) => self.queue.forget(&item),
                Err(_) => self.queue.add_rate_limited(server.now(), item),
            }
        }
    }
}
