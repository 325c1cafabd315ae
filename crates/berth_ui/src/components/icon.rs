//! Line icons. They are hidden from assistive technology: the word beside them speaks.

use yew::{Html, html};

/// The icons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// The product's mark.
    Logo,
    /// Undo.
    Undo,
    /// Redo.
    Redo,
    /// Into the page.
    Import,
    /// Out of the page.
    Export,
    /// Light and dark.
    Theme,
    /// Passes.
    Check,
    /// Refused.
    Cross,
    /// Protected by a budget.
    Shield,
    /// Behind a scheduling gate.
    Lock,
    /// Rows and columns.
    Table,
    /// Open below.
    Down,
    /// Open to the right.
    Right,
    /// More.
    Plus,
    /// Less.
    Minus,
    /// Closed for pods.
    Ban,
    /// A taint.
    Taint,
    /// A warning.
    Alert,
    /// Move.
    Move,
    /// A time to wait.
    Clock,
    /// One step on.
    Step,
    /// On to the end.
    Forward,
    /// Everything that can be done.
    Menu,
    /// Lessons.
    Book,
}

impl Shape {
    fn path(self) -> &'static str {
        match self {
            Self::Logo => "M2 4v5a3.2 3.2 0 0 0 3.2 3.2h5.6A3.2 3.2 0 0 0 14 9V4M5.5 5.5h5v3h-5z",
            Self::Undo => "M6 4 3 7l3 3M3 7h6.5a3.5 3.5 0 0 1 0 7H7",
            Self::Redo => "m10 4 3 3-3 3M13 7H6.5a3.5 3.5 0 0 0 0 7H9",
            Self::Import => "M8 2.5V9M5.5 6.5 8 9l2.5-2.5M3 10v3.5h10V10",
            Self::Export => "M8 9V2.5M5.5 5 8 2.5 10.5 5M3 10v3.5h10V10",
            Self::Theme => {
                "M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11ZM8 2.5v11M9.8 3.2v9.6M11.6 4.4v7.2"
            }
            Self::Check => "m3.5 8.5 3 3 6-7",
            Self::Cross => "m4 4 8 8M12 4l-8 8",
            Self::Shield => "M8 2 3.5 3.7V8c0 3 2 5 4.5 6 2.5-1 4.5-3 4.5-6V3.7Z",
            Self::Lock => "M3.5 7.5h9v6h-9zM5.5 7V5a2.5 2.5 0 0 1 5 0v2",
            Self::Table => "M2.5 3.5h11v9h-11zM2.5 6.5h11M2.5 9.5h11M6.5 3.5v9",
            Self::Down => "m4.5 6.5 3.5 3.5 3.5-3.5",
            Self::Right => "m6.5 4.5 3.5 3.5-3.5 3.5",
            Self::Plus => "M8 3.5v9M3.5 8h9",
            Self::Minus => "M3.5 8h9",
            Self::Ban => "M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11ZM4.2 4.2l7.6 7.6",
            Self::Taint => "M8 2.5c2.5 3 4 5 4 7a4 4 0 0 1-8 0c0-2 1.5-4 4-7Z",
            Self::Alert => "M8 2.5 14 13H2ZM8 6.5v3M8 11.4v.1",
            Self::Clock => "M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11ZM8 5v3l2 1.5",
            Self::Step => "M5 3.5 10 8l-5 4.5zM12 3.5v9",
            Self::Forward => "m3 3.5 5 4.5-5 4.5zM8 3.5 13 8l-5 4.5z",
            Self::Menu => "M3 4.5h10M3 8h10M3 11.5h10",
            Self::Book => {
                "M8 4v9M8 4C6 3 4 3 2.5 3.5V13c2-.5 4-.5 5.5.5 1.5-1 3.5-1 5.5-.5V3.5C12 3 10 3 8 4"
            }
            Self::Move => "M8 2v12M2 8h12M6 4l2-2 2 2M6 12l2 2 2-2M4 6 2 8l2 2M12 6l2 2-2 2",
        }
    }
}

/// An icon.
pub fn icon(shape: Shape) -> Html {
    draw(shape, "icon")
}

/// An icon of the small size.
pub fn small_icon(shape: Shape) -> Html {
    draw(shape, "icon s")
}

fn draw(shape: Shape, class: &'static str) -> Html {
    html! { <svg {class} viewBox="0 0 16 16" aria-hidden="true"><path d={shape.path()} /></svg> }
}
