//! Which ReplicaSet is the Deployment's present one, what it is called, and what is noted on it.
//!
//! Mirrors `getAllReplicaSetsAndSyncRevision` and `getNewReplicaSet` of `sync.go`, and the annotations of
//! `deployment_util.go`.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::sync::Sets;
use super::{DeploymentController, SETS, scale, status};
use crate::api::{Object, ObjectKey, ObjectMeta, PodTemplate, Workload};
use crate::controllers::names::{mix, revision_hash};
use crate::controllers::ownership::{is_controlled_by, reference};
use crate::controllers::pod_control::involved;
use crate::simulation::Context;
use crate::simulation::objects::as_workload;
use crate::simulation::server::{ApiError, Part};

/// The label by which the ReplicaSets of a Deployment differ.
const HASH_LABEL: &str = "pod-template-hash";
const REVISION: &str = "deployment.kubernetes.io/revision";
const HISTORY: &str = "deployment.kubernetes.io/revision-history";
const DESIRED: &str = "deployment.kubernetes.io/desired-replicas";
const MOST: &str = "deployment.kubernetes.io/max-replicas";
/// The most letters of a history of revisions (`maxRevHistoryLengthInChars`).
const LONGEST_HISTORY: usize = 2000;
/// The longest name of a ReplicaSet (`DNS1123SubdomainMaxLength`).
const LONGEST_NAME: usize = 253;

impl DeploymentController {
    /// The ReplicaSets, the new one with its annotations as they should be; it is made if `create`.
    pub(super) fn revisions(
        &mut self,
        deployment: &mut Workload,
        sets: &[Arc<Workload>],
        create: bool,
        context: &mut Context<'_>,
    ) -> Result<Sets, ApiError> {
        let present = sets.iter().find(|set| same_template(&set.template, &deployment.template));
        let is_old = |set: &&Arc<Workload>| {
            present.is_none_or(|present| present.metadata.uid != set.metadata.uid)
        };
        let old: Vec<_> = sets.iter().filter(is_old).cloned().collect();
        let revision = old.iter().map(|set| number(set)).max().unwrap_or(0).max(0) + 1;
        let new = match present {
            Some(present) => Some(Self::keep(deployment, present, revision, context)?),
            None if create => Some(self.create(deployment, &old, revision, context)?),
            None => None,
        };
        Ok(Sets { new, old })
    }

    /// The ReplicaSet that is there, brought up to date.
    fn keep(
        deployment: &mut Workload,
        set: &Arc<Workload>,
        revision: i64,
        context: &mut Context<'_>,
    ) -> Result<Arc<Workload>, ApiError> {
        let mut kept = (**set).clone();
        let seconds = deployment.control.min_ready_seconds;
        if note_revision(&mut kept, revision) || kept.control.min_ready_seconds != seconds {
            Arc::make_mut(&mut kept.control).min_ready_seconds = seconds;
            return update(kept, context);
        }
        status::note_found(deployment, set, context);
        // The revision is written each time, since nobody has noted it.
        let _ = context.server.update(object(deployment.clone()), Part::Status)?;
        Ok(Arc::clone(set))
    }

    fn create(
        &mut self,
        deployment: &mut Workload,
        old: &[Arc<Workload>],
        revision: i64,
        context: &mut Context<'_>,
    ) -> Result<Arc<Workload>, ApiError> {
        let mut set = new_set(deployment);
        let replicas = scale::new_replicas(deployment, old, 0);
        set.replicas = Some(replicas);
        note_revision(&mut set, revision);
        note_replicas(&mut set, deployment);
        let name = set.metadata.name.clone();
        let mut exists = false;
        let created = match context.server.create(object(set), "") {
            Ok(created) => as_workload(&created).map(Arc::clone),
            Err(error @ ApiError::AlreadyExists(..)) => {
                exists = true;
                let key = ObjectKey::new(deployment.metadata.namespace.clone(), name.clone());
                let known = context.cache.workload(SETS, &key).cloned();
                let known = known.ok_or_else(|| error.clone())?;
                let is_own = is_controlled_by(&known.metadata, &deployment.metadata.uid)
                    && same_template(&known.template, &deployment.template);
                if !is_own {
                    // Another template has the same hash: the next attempt has another one.
                    let status = Arc::make_mut(&mut deployment.status);
                    status.collision_count = Some(status.collision_count.unwrap_or(0) + 1);
                    let _ = context.server.update(object(deployment.clone()), Part::Status);
                    return Err(error);
                }
                Some(known)
            }
            Err(error) => {
                let words = format!("Failed to create new replica set \"{name}\": {error}");
                let reason = "ReplicaSetCreateError";
                status::progressing(deployment, "False", reason, words.clone(), context);
                let _ = context.server.update(object(deployment.clone()), Part::Status);
                self.recorder.warning(context.server, involved(deployment), reason, words);
                return Err(error);
            }
        };
        let Some(created) = created else {
            return Err(ApiError::NotFound(crate::api::Kind::Workload(SETS), name));
        };
        if !exists {
            if replicas > 0 {
                self.tell_scaled(deployment, &name, 0, replicas, context);
            }
            let words = format!("Created new replica set \"{name}\"");
            status::progressing(deployment, "True", "NewReplicaSetCreated", words, context);
        }
        let _ = context.server.update(object(deployment.clone()), Part::Status)?;
        Ok(created)
    }
}

/// A workload as an object.
pub(super) fn object(workload: Workload) -> Object {
    Object::Workload(Arc::new(workload))
}

/// Writes a ReplicaSet, and gives it as it is then.
pub(super) fn update(set: Workload, context: &mut Context<'_>) -> Result<Arc<Workload>, ApiError> {
    let fallback = Arc::new(set);
    let written = context.server.update(Object::Workload(Arc::clone(&fallback)), Part::Main)?;
    Ok(as_workload(&written).map_or(fallback, Arc::clone))
}

/// A ReplicaSet with a Deployment's template, without replicas.
fn new_set(deployment: &Workload) -> Workload {
    let hash = revision_hash(deployment);
    let mut template = deployment.template.clone();
    template.labels.insert(HASH_LABEL.to_owned(), hash.clone());
    let mut selector = deployment.selector.clone().unwrap_or_default();
    selector.match_labels.insert(HASH_LABEL.to_owned(), hash.clone());
    let mut set = Workload {
        kind: SETS,
        metadata: ObjectMeta {
            name: set_name(&deployment.metadata.name, &hash),
            namespace: deployment.metadata.namespace.clone(),
            labels: template.labels.clone(),
            annotations: copied_annotations(deployment),
            owner_references: alloc::vec![reference(deployment)],
            ..ObjectMeta::default()
        },
        selector: Some(selector),
        template,
        update_strategy: None,
        control: Arc::default(),
        status: Arc::default(),
        ..deployment.clone()
    };
    Arc::make_mut(&mut set.control).min_ready_seconds = deployment.control.min_ready_seconds;
    set
}

/// `generateReplicaSetName`: a long name is cut.
fn set_name(deployment: &str, hash: &str) -> String {
    let longest = LONGEST_NAME.saturating_sub(hash.len() + 1);
    let stem = deployment.get(..longest).unwrap_or(deployment);
    format!("{stem}-{hash}")
}

/// What a Deployment hands on to its ReplicaSets: no annotation that the controller writes itself.
fn copied_annotations(deployment: &Workload) -> crate::api::Labels {
    let own = [REVISION, HISTORY, DESIRED, MOST];
    let all = deployment.metadata.annotations.iter();
    all.filter(|(key, _)| !own.contains(&&***key)).map(|(k, v)| (k.clone(), v.clone())).collect()
}

/// Whether two templates differ in nothing but the hash (`EqualIgnoreHash`).
fn same_template(a: &PodTemplate, b: &PodTemplate) -> bool {
    let bare = |template: &PodTemplate| {
        let mut template = template.clone();
        template.labels.remove(HASH_LABEL);
        mix(0, &template)
    };
    bare(a) == bare(b)
}

/// Sorts ReplicaSets by age and name (`ReplicaSetsByCreationTimestamp`).
pub(super) fn by_age(sets: &mut [Arc<Workload>]) {
    sets.sort_by(|a, b| age_order(a, b));
}

/// The older first.
pub(super) fn age_order(a: &Workload, b: &Workload) -> core::cmp::Ordering {
    let age = |set: &Workload| set.metadata.creation_timestamp;
    age(a).cmp(&age(b)).then_with(|| a.metadata.name.cmp(&b.metadata.name))
}

/// The revision of a ReplicaSet; 0 if it has none.
pub(super) fn number(set: &Workload) -> i64 {
    set.metadata.annotations.get(REVISION).and_then(|text| text.parse().ok()).unwrap_or(0)
}

/// How many pods the Deployment wanted when the ReplicaSet was last scaled.
pub(super) fn desired(set: &Workload) -> Option<i32> {
    not_negative(set, DESIRED)
}

/// How many pods the Deployment could have had then.
pub(super) fn most(set: &Workload) -> Option<i32> {
    not_negative(set, MOST)
}

fn not_negative(set: &Workload, key: &str) -> Option<i32> {
    let text = set.metadata.annotations.get(key)?;
    text.parse()
        .ok()
        .filter(|number| *number >= 0 && text.starts_with(|c: char| c.is_ascii_digit()))
}

/// Notes how many pods the Deployment wants and may have. False if that was noted (`SetReplicasAnnotations`).
pub(super) fn note_replicas(set: &mut Workload, deployment: &Workload) -> bool {
    let wanted = scale::wanted(deployment);
    let most = wanted.saturating_add(scale::max_surge(deployment));
    let mut changed = false;
    for (key, number) in [(DESIRED, wanted), (MOST, most)] {
        let text = number.to_string();
        if set.metadata.annotations.get(key) != Some(&text) {
            set.metadata.annotations.insert(key.to_owned(), text);
            changed = true;
        }
    }
    changed
}

/// Notes a revision if it is a later one, and the earlier one in the history (`SetNewReplicaSetAnnotations`).
fn note_revision(set: &mut Workload, revision: i64) -> bool {
    let annotations = &mut set.metadata.annotations;
    let old = annotations.get(REVISION).cloned();
    let known = match &old {
        None => 0,
        Some(text) if text.is_empty() => 0,
        Some(text) => match text.parse::<i64>() {
            Ok(number) => number,
            Err(_) => return false,
        },
    };
    if known >= revision {
        return false;
    }
    annotations.insert(REVISION.to_owned(), revision.to_string());
    if let Some(old) = old {
        let history = annotations.get(HISTORY).cloned().unwrap_or_default();
        if let Some(history) = longer_history(&history, &old) {
            annotations.insert(HISTORY.to_owned(), history);
        }
    }
    true
}

/// A history with one revision more, without as many of the first as make it too long.
fn longer_history(history: &str, revision: &str) -> Option<String> {
    if history.is_empty() {
        return Some(revision.to_owned());
    }
    let mut kept = history;
    while kept.len() + revision.len() + 1 > LONGEST_HISTORY {
        kept = kept.split_once(',')?.1;
    }
    Some(format!("{kept},{revision}"))
}
