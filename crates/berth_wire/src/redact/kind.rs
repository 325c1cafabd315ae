//! What a text is the name of.

/// What a text is the name of. Of several the first gives its pseudonym.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind<'a> {
    Node,
    Namespace,
    /// The value of a label, by its key.
    Value(&'a str),
    Pod,
    Workload,
    Class,
    Budget,
    Service,
    Container,
    Volume,
    Claim,
    Uid,
    Image,
    Address,
    Scheduler,
    Plugin,
    /// The key of a label or a taint, a gate, a condition's type.
    Key,
    /// The domain before a resource's slash.
    Group,
    /// What comes after it.
    Resource,
    /// The kind of an owner.
    Owner,
}

/// Texts that may be compared with each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Realm {
    /// Names and values of labels.
    Value,
    Image,
    Address,
    Scheduler,
    Plugin,
    Key,
    Group,
    Resource,
    Owner,
}

impl Kind<'_> {
    /// What it may be compared with.
    pub(super) fn realm(self) -> Realm {
        match self {
            Self::Image => Realm::Image,
            Self::Address => Realm::Address,
            Self::Scheduler => Realm::Scheduler,
            Self::Plugin => Realm::Plugin,
            Self::Key => Realm::Key,
            Self::Group => Realm::Group,
            Self::Resource => Realm::Resource,
            Self::Owner => Realm::Owner,
            _ => Realm::Value,
        }
    }

    /// The same, a value by what its key says that it is.
    pub(super) fn named(self) -> Kind<'static> {
        match self {
            Self::Node => Kind::Node,
            Self::Namespace => Kind::Namespace,
            Self::Value(key) => Kind::Value(match key {
                "topology.kubernetes.io/zone" | "failure-domain.beta.kubernetes.io/zone" => "zone",
                "topology.kubernetes.io/region" | "failure-domain.beta.kubernetes.io/region" => {
                    "region"
                }
                "node.kubernetes.io/instance-type" | "beta.kubernetes.io/instance-type" => {
                    "machine"
                }
                _ => "value",
            }),
            Self::Pod => Kind::Pod,
            Self::Workload => Kind::Workload,
            Self::Class => Kind::Class,
            Self::Budget => Kind::Budget,
            Self::Service => Kind::Service,
            Self::Container => Kind::Container,
            Self::Volume => Kind::Volume,
            Self::Claim => Kind::Claim,
            Self::Uid => Kind::Uid,
            Self::Image => Kind::Image,
            Self::Address => Kind::Address,
            Self::Scheduler => Kind::Scheduler,
            Self::Plugin => Kind::Plugin,
            Self::Key => Kind::Key,
            Self::Group => Kind::Group,
            Self::Resource => Kind::Resource,
            Self::Owner => Kind::Owner,
        }
    }
}

impl Kind<'static> {
    /// What its pseudonyms begin with.
    pub(super) const fn prefix(self) -> &'static str {
        match self {
            Self::Node => "node",
            Self::Namespace => "ns",
            Self::Value(word) => word,
            Self::Pod => "pod",
            Self::Workload => "workload",
            Self::Class => "class",
            Self::Budget => "budget",
            Self::Service => "service",
            Self::Container => "container",
            Self::Volume => "volume",
            Self::Claim => "claim",
            Self::Uid => "uid",
            Self::Image => "image",
            Self::Address => ADDRESS,
            Self::Scheduler => "scheduler",
            Self::Plugin => "Plugin",
            Self::Key => "key",
            Self::Group => "group",
            Self::Resource => "resource",
            Self::Owner => "Owner",
        }
    }
}

/// What stands for addresses, whose pseudonyms are addresses.
pub(super) const ADDRESS: &str = "192.0.2";
