//! What a cluster comes to, as one number.

use berth_core::cluster::Cluster;
use berth_core::collections::sort;

/// A checksum over where each pod is. A link carries it, so that a page on which replaying comes to something else,
/// because it is another version, can say so.
pub fn outcome(cluster: &Cluster) -> u32 {
    let mut lines: Vec<String> = Vec::new();
    for (_, info) in cluster.pods() {
        let pod = &info.pod;
        let nominated = &pod.status.nominated_node_name;
        lines.push(format!("{}\t{}\t{nominated}\n", pod.metadata.key(), pod.spec.node_name));
    }
    sort(&mut lines);
    let mut hasher = crc32fast::Hasher::new();
    for line in &lines {
        hasher.update(line.as_bytes());
    }
    hasher.finalize()
}
