//! A place to draw on, and hands to work with.

use wasm_bindgen::JsCast;
use web_sys::{
    Element, KeyboardEvent, KeyboardEventInit, PointerEvent, PointerEventInit, ShadowRoot,
    ShadowRootInit, ShadowRootMode,
};
use yew::BaseComponent;

/// A component drawn inside an open shadow root.
pub(crate) struct Stage {
    host: Element,
    root: ShadowRoot,
}

impl Drop for Stage {
    fn drop(&mut self) {
        self.host.remove();
    }
}

impl Stage {
    /// Draws a component.
    pub(crate) async fn of<C: BaseComponent>(props: C::Properties) -> Self {
        let document = web_sys::window().unwrap().document().unwrap();
        let host = document.create_element("div").unwrap();
        document.body().unwrap().prepend_with_node_1(&host).unwrap();
        let root = host.attach_shadow(&ShadowRootInit::new(ShadowRootMode::Open)).unwrap();
        let mount = document.create_element("div").unwrap();
        root.append_child(&mount).unwrap();
        yew::Renderer::<C>::with_root_and_props(mount, props).render();
        let stage = Self { host, root };
        stage.settle().await;
        stage
    }

    /// Waits until everything is drawn.
    pub(crate) async fn settle(&self) {
        yew::scheduler::flush().await;
    }

    /// The first element that matches.
    pub(crate) fn find(&self, selector: &str) -> Element {
        self.root.query_selector(selector).unwrap().unwrap_or_else(|| panic!("no {selector}"))
    }

    /// How many elements match.
    pub(crate) fn count(&self, selector: &str) -> u32 {
        self.root.query_selector_all(selector).unwrap().length()
    }

    /// What an element says, white space collapsed.
    pub(crate) fn text(&self, selector: &str) -> String {
        let text = self.find(selector).text_content().unwrap_or_default();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// The element that has the focus.
    pub(crate) fn focused(&self) -> Option<String> {
        self.root.active_element().and_then(|element| element.get_attribute("data-name"))
    }

    /// Presses a key where the selector points.
    pub(crate) async fn press(&self, selector: &str, key: &str) {
        let init = KeyboardEventInit::new();
        init.set_key(key);
        init.set_bubbles(true);
        init.set_cancelable(true);
        init.set_composed(true);
        let event = KeyboardEvent::new_with_keyboard_event_init_dict("keydown", &init).unwrap();
        self.find(selector).dispatch_event(&event).unwrap();
        self.settle().await;
    }

    /// Clicks.
    pub(crate) async fn click(&self, selector: &str) {
        let target: web_sys::HtmlElement = self.find(selector).dyn_into().unwrap();
        target.click();
        self.settle().await;
    }

    /// Sends a pointer event to an element, at the middle of another.
    pub(crate) async fn point(&self, kind: &str, target: &str, at: &str, device: &str) {
        // Without the style sheet the page is taller than the window.
        self.find(at).scroll_into_view();
        let area = self.find(at).get_bounding_client_rect();
        let init = PointerEventInit::new();
        init.set_bubbles(true);
        init.set_cancelable(true);
        init.set_composed(true);
        init.set_pointer_id(7);
        init.set_is_primary(true);
        init.set_pointer_type(device);
        init.set_client_x((area.left() + area.width() / 2.0) as i32);
        init.set_client_y((area.top() + area.height() / 2.0) as i32);
        let event = PointerEvent::new_with_event_init_dict(kind, &init).unwrap();
        self.find(target).dispatch_event(&event).unwrap();
        self.settle().await;
    }
}
