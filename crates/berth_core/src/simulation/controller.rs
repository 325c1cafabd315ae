//! What a controller is to the simulation.

use alloc::boxed::Box;
use core::fmt::Debug;

use super::objects::Objects;
use super::server::{ApiError, Change, Server};
use super::work_queue::{WorkItem, WorkQueue};
use crate::api::{Kind, Time};
use crate::queue::Instant;

/// A controller: it hears of changes, late, and works at keys.
///
/// Everything takes no time: a controller that is woken works until its queue is empty. Whatever it remembers between
/// two calls (expectations, for one) is a field of its own; a copy of the simulation copies it.
pub trait Controller: Debug {
    /// The kinds of objects that it hears of. Only these are in its cache.
    fn watches(&self) -> &'static [Kind];

    /// Something changed, and is in the cache now: puts keys into the queue (the informers' event handlers).
    fn observe(&mut self, change: &Change, context: &mut Context<'_>);

    /// Works at a key. After an error the key comes again, after 5 ms, 10 ms, 20 ms and so on; a controller that does
    /// otherwise gives `Ok` and uses the queue itself.
    fn sync(&mut self, item: &WorkItem, context: &mut Context<'_>) -> Result<(), ApiError>;

    /// How long a key waits after its first failure, and at most, in nanoseconds: each failure doubles it.
    fn retries(&self) -> (i64, i64) {
        (5_000_000, 1_000_000_000_000)
    }

    /// Its workers begin.
    fn start(&mut self, context: &mut Context<'_>) {
        let _ = context;
    }

    /// A copy.
    fn clone_box(&self) -> Box<dyn Controller>;
}

impl Clone for Box<dyn Controller> {
    fn clone(&self) -> Self {
        self.clone_box()
    }
}

/// What a controller works with.
#[derive(Debug)]
pub struct Context<'a> {
    /// What it has heard of so far: what its listers give.
    pub cache: &'a Objects,
    /// The API server, which carries out requests at once.
    pub server: &'a mut Server,
    /// Its queues.
    pub queue: &'a mut WorkQueue,
}

impl Context<'_> {
    /// The instant.
    pub fn now(&self) -> Instant {
        self.server.now()
    }

    /// The time as objects have it, in whole seconds.
    pub fn time(&self) -> Time {
        self.server.time()
    }
}
