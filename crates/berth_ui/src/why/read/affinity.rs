//! InterPodAffinity: term by term, which pods matched in which domain.

use super::node::table;
use super::{ITEMS, Reader, key, shared, some};
use crate::why::view::{Block, RowView};
use crate::why::words::WhyMsg;
use berth_core::explain::NodeReport;
use berth_core::explain::affinity::{AffinityExplanation, AffinityPod, AffinityRole};
use berth_core::framework::fact::Fact;
use std::sync::Arc;
use yew::AttrValue;

impl Reader<'_> {
    /// The terms that Filter looks at.
    pub(super) fn pod_affinity(
        &mut self,
        report: &NodeReport,
        facts: &[Fact],
        blocks: &mut Vec<Block>,
    ) {
        let terms = &self.of.explanation.affinity;
        for term in terms {
            let required = matches!(
                term.role,
                AffinityRole::RequiredAffinity
                    | AffinityRole::RequiredAntiAffinity
                    | AffinityRole::ExistingRequiredAntiAffinity
            );
            if required {
                let block = self.term(report, term);
                blocks.push(block);
            }
        }
        for fact in facts {
            if let Fact::AffinityFirst { allowed } = fact {
                let msg = if *allowed { WhyMsg::AffinityFirst } else { WhyMsg::AffinityNotFirst };
                blocks.push(Block::Line(self.words.text(msg)));
            }
        }
    }

    /// A term with the pods of each domain.
    fn term(&mut self, report: &NodeReport, term: &AffinityExplanation) -> Block {
        let words = self.words;
        let near = term.role == AffinityRole::RequiredAffinity;
        let labels = report.object.as_ref().map(|node| &node.metadata.labels);
        let here = labels.and_then(|labels| labels.get(&*term.topology_key)).map(String::as_str);
        let mut domains: Vec<(Option<Arc<str>>, Vec<&AffinityPod>)> = Vec::new();
        for pod in &term.pods {
            match domains.iter_mut().find(|(domain, _)| *domain == pod.domain) {
                Some((_, pods)) => pods.push(pod),
                None => domains.push((pod.domain.clone(), vec![pod])),
            }
        }
        // The node's own domain is there even if it is empty.
        if !domains.iter().any(|(domain, _)| domain.as_deref() == here) {
            domains.insert(0, (here.map(Arc::from), Vec::new()));
        }
        let mut rows = Vec::new();
        for (domain, pods) in domains.iter().take(ITEMS) {
            let own = domain.as_deref() == here;
            let keys: Vec<AttrValue> = pods.iter().map(|pod| key(&pod.pod)).collect();
            let nodes = pods.iter().map(|pod| shared(&pod.node)).collect();
            let names = some(keys.iter().map(ToString::to_string), super::NAMES);
            let holds = match (near, domain) {
                (true, Some(_)) => !pods.is_empty(),
                (true, None) => false,
                (false, Some(_)) => pods.is_empty(),
                (false, None) => true,
            };
            let value = domain.as_deref().map_or_else(|| words.text(WhyMsg::NoDomain), shared);
            let name =
                if own { words.fill(WhyMsg::OnDomain, &[("domain", &value)]) } else { value };
            let light = self.light(keys, nodes);
            rows.push(RowView {
                name,
                cells: vec![pods.len().to_string().into(), names.into()],
                holds: own.then_some(holds),
                light: Some(light),
            });
        }
        let head = [WhyMsg::Domain, WhyMsg::MatchingPods, WhyMsg::CountedHere];
        let head = head.iter().map(|msg| words.text(*msg)).collect();
        table(self.caption(term), head, rows)
    }

    /// `keeps away from app=web by zone in namespaces shop`.
    fn caption(&self, term: &AffinityExplanation) -> AttrValue {
        let words = self.words;
        let role = words.text(match term.role {
            AffinityRole::RequiredAffinity => WhyMsg::Near,
            AffinityRole::RequiredAntiAffinity => WhyMsg::Apart,
            _ => WhyMsg::ApartExisting,
        });
        let namespaces = match &term.namespaces {
            Some(names) => words.fill(WhyMsg::Namespaces, &[("namespaces", &names.join(", "))]),
            None => words.text(WhyMsg::NamespacesAll),
        };
        [&role, " ", &term.selector, " · ", &term.topology_key, " · ", &*namespaces].concat().into()
    }
}
