//! The board as a picture: SVG that stands alone, with its looks inside, and needs no style sheet.

use crate::locale::{Locale, Msg};
use crate::view::{ClusterView, DomainView, NodeCardView, PodChipView, Verdict};
use std::fmt::Write;

const WIDTH: i32 = 220;
const GAP: i32 = 14;
const LINE: i32 = 18;
const PODS_A_LINE: usize = 3;

/// How texts look, as attributes of SVG: a style sheet would be refused by a strict policy where a picture is embedded.
mod text {
    pub(super) const TITLE: &str = r#"font-size="15" font-weight="600""#;
    pub(super) const HEAD: &str = r#"font-weight="600""#;
    pub(super) const DIM: &str = r##"fill="#59605d""##;
    pub(super) const REFUSED: &str = r##"fill="#a3321c""##;
    pub(super) const FITS: &str = r##"fill="#005f99""##;
    pub(super) const POD: &str = r#"font-size="11""#;
}

/// How nodes look.
mod card {
    pub(super) const PLAIN: &str = r##"fill="#fff" stroke="#c5cbc8""##;
    pub(super) const FITS: &str = r##"fill="#fff" stroke="#0072b2" stroke-width="2""##;
    pub(super) const REFUSED: &str = r##"fill="#fff" stroke="#a3321c" stroke-dasharray="4 3""##;
}

/// The hues of the app tiles.
const HUES: [&str; 8] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#7a5195", "#8c6d1f", "#56789a", "#5f5f5f"];

/// A picture of the board as it is drawn.
pub(super) fn picture(cluster: &ClusterView, words: &Locale) -> String {
    let mut page = Page::default();
    page.text(GAP, GAP + 12, text::TITLE, &cluster.name);
    let mut top = GAP + 30;
    if !cluster.pending.is_empty() {
        page.text(GAP, top + 12, text::HEAD, &words.text(Msg::Pending));
        top = page.pods(GAP, top + LINE, 3 * WIDTH, &cluster.pending) + GAP;
    }
    let mut left = GAP;
    let mut bottom = top;
    for domain in &cluster.domains {
        bottom = bottom.max(page.domain(left, top, domain, words));
        left += WIDTH + GAP;
    }
    page.finish(left.max(3 * WIDTH + 2 * GAP), bottom + GAP)
}

#[derive(Default)]
struct Page {
    body: String,
}

impl Page {
    fn domain(&mut self, left: i32, top: i32, domain: &DomainView, words: &Locale) -> i32 {
        self.text(left, top + 12, text::HEAD, &domain.title);
        let mut at = top + LINE;
        for gauge in &domain.gauges {
            let sign = if gauge.within { "≤" } else { ">" };
            let line = format!(
                "{} + {} − {} = {} {sign} maxSkew {}",
                gauge.matching, gauge.incoming, gauge.min, gauge.skew, gauge.max_skew
            );
            self.text(left, at + 12, if gauge.within { text::DIM } else { text::REFUSED }, &line);
            at += LINE;
        }
        for node in &domain.nodes {
            at = self.node(left, at, node, words) + 8;
        }
        at
    }

    fn node(&mut self, left: i32, top: i32, node: &NodeCardView, words: &Locale) -> i32 {
        // What is drawn on the card, once its height is known.
        let mut face = Self::default();
        let (x, mut at) = (left + 8, top + 6);
        face.text(x, at + 12, text::HEAD, &node.name);
        at += LINE;
        if node.cordoned {
            face.text(x, at + 12, text::REFUSED, &words.text(Msg::Cordoned));
            at += LINE;
        }
        for taint in &node.taints {
            face.text(x, at + 12, text::DIM, &taint.full);
            at += LINE;
        }
        for bar in &node.capacity {
            let line = format!("{} {} / {}", bar.resource, bar.requested, bar.allocatable);
            face.text(x, at + 12, text::DIM, &line);
            at += LINE;
        }
        at = face.pods(x, at, WIDTH - 16, &node.pods);
        let looks = match &node.verdict {
            Some(Verdict::Fits(_)) => card::FITS,
            Some(Verdict::Rejected(rejected)) => {
                face.text(x, at + 12, text::REFUSED, &["✕ ", &rejected.reason].concat());
                at += LINE;
                card::REFUSED
            }
            None => card::PLAIN,
        };
        if matches!(node.verdict, Some(Verdict::Fits(_))) {
            face.text(x, at + 12, text::FITS, &["✓ ", &words.text(Msg::Fits)].concat());
            at += LINE;
        }
        let height = at + 6 - top;
        self.rect((left, top), (WIDTH, height), looks);
        self.body.push_str(&face.body);
        top + height
    }

    fn pods<P: AsRef<PodChipView>>(&mut self, left: i32, top: i32, width: i32, pods: &[P]) -> i32 {
        if pods.is_empty() {
            return top;
        }
        let columns = if width > WIDTH { 3 * PODS_A_LINE } else { PODS_A_LINE };
        let cell = width / columns as i32;
        for (index, pod) in pods.iter().enumerate() {
            let pod = pod.as_ref();
            let (column, row) = ((index % columns) as i32, (index / columns) as i32);
            let (x, y) = (left + column * cell, top + row * LINE);
            let hue =
                HUES.get(usize::from(pod.app.style) % HUES.len()).copied().unwrap_or_default();
            self.rect((x, y + 3), (10, 10), &format!(r#"fill="{hue}""#));
            let fits = (cell / 7 - 2).max(3) as usize;
            let mut name: String = pod.name.chars().take(fits).collect();
            if name.len() < pod.name.len() {
                name.pop();
                name.push('…');
            }
            self.text(x + 13, y + 12, text::POD, &name);
        }
        top + pods.len().div_ceil(columns) as i32 * LINE
    }

    fn text(&mut self, x: i32, y: i32, looks: &str, text: &str) {
        let _ = write!(self.body, r#"<text x="{x}" y="{y}" {looks}>"#);
        escape(text, &mut self.body);
        self.body.push_str("</text>");
    }

    fn rect(&mut self, (x, y): (i32, i32), (width, height): (i32, i32), looks: &str) {
        let _ = write!(
            self.body,
            r#"<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="3" {looks}/>"#
        );
    }

    fn finish(self, width: i32, height: i32) -> String {
        let body = self.body;
        format!(
            r##"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}"><rect width="{width}" height="{height}" fill="#f4f6f5"/><g font-family="system-ui,sans-serif" font-size="12" fill="#171c1b">{body}</g></svg>"##
        )
    }
}

/// Text as XML has it; what XML cannot have is left out.
fn escape(text: &str, out: &mut String) {
    for char in text.chars() {
        match char {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            char if char.is_control() || matches!(char, '\u{FFFE}' | '\u{FFFF}') => {}
            char => out.push(char),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{escape, picture};
    use crate::engine::{Ask, Engine};
    use crate::locale::Locale;

    #[test]
    fn it_has_every_node_and_says_why_it_refuses() {
        let mut engine = Engine::default();
        engine.open_example(&Locale::english()).unwrap();
        let ask = Ask { selected: Some("shop/web-6".into()), columns: None };
        let (cluster, _) = engine.views(&ask, &Locale::english());
        let svg = picture(&cluster, &Locale::english());
        for domain in &cluster.domains {
            for node in &domain.nodes {
                assert!(svg.contains(&*node.name), "{}", node.name);
            }
        }
        assert!(svg.contains("node(s) didn't match pod topology spread constraints"));
        assert_eq!(svg.matches("<text").count(), svg.matches("</text>").count());
    }

    #[test]
    fn text_cannot_become_markup() {
        let mut out = String::new();
        escape("<b a='\u{1}'>&\u{FFFE}é", &mut out);
        assert_eq!(out, "&lt;b a=''&gt;&amp;é");
    }
}
