//! Where in an object the decoder is.

use std::fmt;

/// A path, linked on the stack: it costs nothing until somebody has to print it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Path<'p> {
    /// The object itself.
    Root,
    /// A field of a struct, with the Go type of the struct, which Go's errors name.
    Field { up: &'p Self, strukt: &'static str, name: &'p str },
    /// An item of a list.
    Index { up: &'p Self, index: usize },
    /// An object within the object, which is decoded by itself.
    Nested { up: &'p Self },
    /// A key of a map.
    Key { up: &'p Self, key: &'p str },
}

impl<'p> Path<'p> {
    pub(crate) const fn field(&'p self, strukt: &'static str, name: &'p str) -> Self {
        Self::Field { up: self, strukt, name }
    }

    pub(crate) const fn index(&'p self, index: usize) -> Self {
        Self::Index { up: self, index }
    }

    pub(crate) const fn nested(&'p self) -> Self {
        Self::Nested { up: self }
    }

    pub(crate) const fn key(&'p self, key: &'p str) -> Self {
        Self::Key { up: self, key }
    }

    /// The innermost struct and the names of all fields on the way, as Go's JSON errors give them.
    pub(crate) fn go_field(&self) -> Option<(&'static str, String)> {
        let (mut strukt, mut names) = (None, Vec::new());
        let mut at = self;
        loop {
            match at {
                Self::Root | Self::Nested { .. } => break,
                Self::Index { up, .. } | Self::Key { up, .. } => at = up,
                Self::Field { up, strukt: name_of_struct, name } => {
                    strukt.get_or_insert(*name_of_struct);
                    names.push(*name);
                    at = up;
                }
            }
        }
        names.reverse();
        strukt.map(|strukt| (strukt.rsplit('.').next().unwrap_or(strukt), names.join(".")))
    }
}

impl fmt::Display for Path<'_> {
    /// As `field.Path` of apimachinery: `spec.containers[0].resources.requests[cpu]`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root => Ok(()),
            Self::Field { up: Self::Root, name, .. } => f.write_str(name),
            Self::Nested { up } => up.fmt(f),
            Self::Field { up, name, .. } => write!(f, "{up}.{name}"),
            Self::Index { up, index } => write!(f, "{up}[{index}]"),
            Self::Key { up, key } => write!(f, "{up}[{key}]"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_as_kubernetes_does() {
        let spec = Path::Root.field("v1.Pod", "spec");
        let containers = spec.field("v1.PodSpec", "containers");
        let first = containers.index(0);
        let resources = first.field("v1.Container", "resources");
        let requests = resources.field("v1.ResourceRequirements", "requests");
        let cpu = requests.key("cpu");
        assert_eq!(cpu.to_string(), "spec.containers[0].resources.requests[cpu]");
        let want = ("ResourceRequirements", "spec.containers.resources.requests".to_owned());
        assert_eq!(cpu.go_field(), Some(want));
        assert_eq!(Path::Root.go_field(), None);
    }
}
