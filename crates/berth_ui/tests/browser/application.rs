//! The whole application, in a shadow root.

use crate::stage::Stage;
use berth_ui::app::App;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::HtmlInputElement;

const WAITING: &str = "[data-tray] [data-name=\"shop/web-6\"]";

fn on(node: &str) -> String {
    format!("[role=row][data-name=\"{node}\"]")
}

fn head_of(node: &str) -> String {
    [&on(node), " [role=rowheader]"].concat()
}

fn pod_on(node: &str) -> String {
    format!("{} [data-name=\"shop/web-6\"]", on(node))
}

async fn app() -> Stage {
    // What another case did is not to be gone on with.
    berth_ui::dom::forget(berth_ui::dom::KEPT);
    Stage::of::<App>(()).await
}

#[wasm_bindgen_test]
async fn it_opens_with_a_pod_that_does_not_fit_and_says_why() {
    let stage = app().await;
    assert!(stage.text(".story").contains("web-6 fits no node"));
    assert_eq!(stage.text(".verdict .lead"), "No node fits; preempting on node-c1FailedScheduling");
    assert_eq!(
        stage.text(".event"),
        "0/6 nodes are available: 1 Insufficient cpu, 1 node(s) were unschedulable, \
         4 node(s) didn't match pod topology spread constraints."
    );
    assert_eq!(stage.count("[role=rowgroup]"), 3);
    assert_eq!(stage.count(".say.reject"), 6);
}

#[wasm_bindgen_test]
async fn an_edit_shows_its_outcome_and_can_be_undone() {
    let stage = app().await;
    stage.click("[aria-label=\"Increase maxSkew\"]").await;
    assert_eq!(stage.count(".say.fit"), 4);
    assert_eq!(stage.text(".was"), "edited, was 1");
    stage.click("[aria-label^=\"Undo\"]").await;
    assert_eq!(stage.text(".say.fit"), "Preempts here");
    stage.click("[aria-label^=\"Redo\"]").await;
    assert_eq!(stage.count(".say.fit"), 4);
}

#[wasm_bindgen_test]
async fn what_is_being_typed_stays_whatever_else_is_drawn() {
    let stage = app().await;
    let field: HtmlInputElement = stage.find("[aria-label=cpu]").dyn_into().unwrap();
    field.focus().unwrap();
    field.set_value("7");
    stage.click("[aria-label=\"Increase maxSkew\"]").await;
    assert_eq!(stage.count(".say.fit"), 4);
    assert_eq!(field.value(), "7");
    // What is left without a change is drawn as it is.
    field.blur().unwrap();
    stage.click("[aria-label^=\"Undo\"]").await;
    assert_eq!(field.value(), "500m");
}

#[wasm_bindgen_test]
async fn a_drag_that_is_refused_returns_and_keeps_the_sum() {
    let stage = app().await;
    stage.point("pointerdown", WAITING, WAITING, "mouse").await;
    stage.point("pointermove", WAITING, &head_of("node-a1"), "mouse").await;
    assert_eq!(stage.count(".ghost .pod"), 1);
    assert_eq!(stage.count(".pod.slot"), 1);
    assert_eq!(stage.count(".node.no-target"), 6);
    assert_eq!(stage.text(&format!("{} .tot .num", on("node-a1"))), "2 > 1");
    stage.point("pointerup", WAITING, &head_of("node-a1"), "mouse").await;
    assert_eq!(stage.count(".ghost"), 0);
    assert_eq!(stage.count(WAITING), 1);
    assert_eq!(stage.count(".node.refused .sum"), 1);
    stage.click(".node.refused .say button").await;
    assert_eq!(stage.count(&pod_on("node-a1")), 1);
    assert!(stage.text(".verdict").contains("the scheduler was bypassed"));
}

#[wasm_bindgen_test]
async fn a_drag_that_fits_binds() {
    let stage = app().await;
    stage.click("[aria-label=\"Increase maxSkew\"]").await;
    stage.point("pointerdown", WAITING, WAITING, "mouse").await;
    stage.point("pointermove", WAITING, &head_of("node-b1"), "mouse").await;
    stage.point("pointerup", WAITING, &head_of("node-b1"), "mouse").await;
    assert_eq!(stage.count(&pod_on("node-b1")), 1);
    assert_eq!(stage.text("[role=status]"), "Successfully assigned shop/web-6 to node-b1");
}

#[wasm_bindgen_test]
async fn a_lost_pointer_puts_the_pod_back() {
    let stage = app().await;
    stage.point("pointerdown", WAITING, WAITING, "mouse").await;
    stage.point("pointermove", WAITING, &head_of("node-a1"), "mouse").await;
    stage.point("pointercancel", WAITING, &head_of("node-a1"), "mouse").await;
    assert_eq!(stage.count(".ghost"), 0);
    assert_eq!(stage.text("[role=status]"), "web-6 stays where it was");
}

#[wasm_bindgen_test]
async fn a_finger_that_moves_at_once_scrolls() {
    let stage = app().await;
    stage.point("pointerdown", WAITING, WAITING, "touch").await;
    stage.point("pointermove", WAITING, &head_of("node-a1"), "touch").await;
    assert_eq!(stage.count(".ghost"), 0);
    assert_eq!(stage.count(".pod.slot"), 0);
}

#[wasm_bindgen_test]
async fn keys_pick_up_choose_and_drop() {
    let stage = app().await;
    stage.click("[aria-label=\"Increase maxSkew\"]").await;
    stage.press(WAITING, " ").await;
    assert_eq!(stage.focused().as_deref(), Some("node-a2"), "the node the scheduler would take");
    stage.press("[role=grid] [tabindex=\"0\"]", "ArrowRight").await;
    assert_eq!(stage.focused().as_deref(), Some("node-b2"));
    assert!(stage.text("[role=status]").starts_with("node-b2: fits, rank 4 of 4"));
    stage.press("[role=grid] [tabindex=\"0\"]", "ArrowUp").await;
    stage.press("[role=grid] [tabindex=\"0\"]", "Enter").await;
    assert_eq!(stage.count(&pod_on("node-b1")), 1);
    assert_eq!(stage.focused().as_deref(), Some("shop/web-6"), "the focus goes with the pod");
}

#[wasm_bindgen_test]
async fn escape_lets_go() {
    let stage = app().await;
    stage.press(WAITING, "m").await;
    assert_eq!(stage.count(".pod.slot"), 1);
    stage.press("[role=grid] [tabindex=\"0\"]", "Escape").await;
    assert_eq!(stage.count(".pod.slot"), 0);
    assert_eq!(stage.focused().as_deref(), Some("shop/web-6"));
}

#[wasm_bindgen_test]
async fn arrows_walk_the_board() {
    let stage = app().await;
    let here = "[role=grid] [tabindex=\"0\"]";
    let mut seen = Vec::new();
    for key in ["ArrowRight", "ArrowRight", "Home", "ArrowDown", "ArrowUp", "ArrowUp"] {
        stage.press(here, key).await;
        seen.push(stage.focused().unwrap_or_default());
    }
    // The column's header has no name of its own: its column has.
    assert_eq!(seen, ["shop/cache-1", "shop/ledger-1", "node-a1", "node-a2", "node-a1", ""]);
    assert_eq!(stage.count("[role=grid] [tabindex=\"0\"]"), 1);
}

#[wasm_bindgen_test]
async fn a_node_moves_to_another_zone_by_taps() {
    let stage = app().await;
    stage.click(&format!("{} [role=rowheader]", on("node-b2"))).await;
    stage.click(".hint .btn.line").await;
    stage.click("[role=rowgroup]:nth-child(3) .zone-head").await;
    assert_eq!(stage.count(&format!("[role=rowgroup]:nth-child(3) {}", on("node-b2"))), 1);
    assert_eq!(stage.text("[role=status]"), "node-b2 moved to zone-c");
}

#[wasm_bindgen_test]
async fn the_scheduler_may_choose() {
    let stage = app().await;
    stage.click("[aria-label=\"Increase maxSkew\"]").await;
    stage.click(".actions .btn:last-child").await;
    assert_eq!(stage.count(&pod_on("node-a2")), 1);
    stage.click(".actions .btn:last-child").await;
    assert_eq!(stage.count(WAITING), 1, "and back to Pending");
}

#[wasm_bindgen_test]
async fn a_plugin_that_refused_leads_to_its_cell() {
    let stage = app().await;
    stage.click(".why button").await;
    assert_eq!(stage.text(".detail strong"), "node-a1 · PodTopologySpread");
    assert_eq!(stage.count(".mx td.cur"), 1);
}

/// Waits until a part that was asked for is here.
async fn fetched(stage: &Stage, selector: &str) {
    for _ in 0..100 {
        if stage.count(selector) > 0 {
            return;
        }
        let turn = js_sys::Promise::resolve::<JsValue>(&JsValue::NULL);
        wasm_bindgen_futures::JsFuture::from(turn).await.unwrap();
        stage.settle().await;
    }
    panic!("{selector} does not come");
}

#[wasm_bindgen_test]
async fn the_preemption_tab_comes_when_it_is_opened() {
    let stage = app().await;
    assert_eq!(stage.text("#tab-preemption"), "Preemption1");
    stage.press(".tabs", "ArrowLeft").await;
    fetched(&stage, ".room").await;
    let selected = stage.find("#tab-preemption").get_attribute("aria-selected");
    assert_eq!(selected.as_deref(), Some("true"));
    assert_eq!(stage.text(".room p"), "node-c1 is the only candidate.");
    assert_eq!(stage.count(".others > div"), 5);
    // A pod that fits has no such tab.
    stage.click("[aria-label=\"Increase maxSkew\"]").await;
    assert_eq!(stage.count("#tab-preemption"), 0);
    assert_eq!(stage.count(".mx"), 1);
}

#[wasm_bindgen_test]
async fn others_make_room_and_come_back() {
    let stage = app().await;
    let going = stage.count(".pod.victim");
    assert!(going > 0);
    assert_eq!(stage.count(".node.best .pod.victim"), going);
    stage.click(".actions .btn:last-child").await;
    assert_eq!(stage.count(".pod.victim"), 0);
    assert_eq!(stage.count(".node.best .pod.gone"), going);
    assert_eq!(stage.count(".node.best .pod.came"), 1);
    assert_eq!(stage.focused().as_deref(), Some("shop/web-6"), "the focus goes with the pod");
    assert!(stage.text("[role=status]").contains("preempted on"));
    stage.click("[aria-label^=\"Undo\"]").await;
    assert_eq!(stage.count(".pod.victim"), going);
}

#[wasm_bindgen_test]
async fn the_queue_has_lanes_and_is_run() {
    let stage = app().await;
    assert_eq!(stage.text(".lane h2"), "Active 1");
    stage.click("[aria-label=\"Increase maxSkew\"]").await;
    stage.click("[aria-label=\"Schedule all\"]").await;
    fetched(&stage, ".attempts").await;
    assert_eq!(stage.text(".log h2"), "1 attempt, 1 placed");
    assert!(stage.text(".attempts").starts_with("shop/web-6 → node-"));
    assert_eq!(stage.text(".lane p"), "No pod waits.");
    stage.click("[aria-label^=\"Undo\"]").await;
    assert_eq!(stage.count(".attempts"), 0);
    assert_eq!(stage.text(".lane h2"), "Active 1");
}

#[wasm_bindgen_test]
async fn the_panel_of_classes_and_budgets_has_the_inspectors_place() {
    let stage = app().await;
    stage.click("#open-rules").await;
    fetched(&stage, ".rules").await;
    assert_eq!(stage.count(".verdict"), 0);
    assert_eq!(stage.count(".rules details"), 6, "three classes, two of the system, one budget");
    assert!(stage.text(".rules section:last-child summary").contains("shop/cache"));
    stage.press(".rules summary", "Escape").await;
    assert_eq!(stage.count(".rules"), 0);
    assert_eq!(stage.count(".verdict"), 1);
    stage.click("#edit-rules").await;
    assert_eq!(stage.count(".rules"), 1);
    // A pod that is selected has its place again.
    stage.click(WAITING).await;
    assert_eq!(stage.count(".rules"), 0);
}
