//! Components from fixed views.

use crate::fixture;
use crate::stage::Stage;
use berth_ui::components::{
    Inspector, InspectorProps, NodeCard, NodeCardProps, Panel, PodChip, PodChipProps,
    PreemptionPanel, PreemptionPanelProps, score_panel,
};
use berth_ui::cursor::Cursor;
use berth_ui::env::Env;
use berth_ui::locale::RoomWords;
use berth_ui::state::{AppState, Tab};
use berth_ui::view::Shadow;
use std::rc::Rc;
use wasm_bindgen_test::wasm_bindgen_test;
use yew::Callback;

fn card(name: &str) -> NodeCardProps {
    NodeCardProps {
        node: Rc::clone(fixture::cluster().node(name).unwrap()),
        selected: Some("shop/web-5".into()),
        dense: false,
        slot: None,
        live: false,
        tapping: false,
        over: false,
        refused: false,
        chosen: false,
        cursor: None,
    }
}

#[wasm_bindgen_test]
async fn a_node_that_fits_says_its_rank_and_score() {
    let stage = Stage::of::<NodeCard>(card("node-b1")).await;
    assert_eq!(stage.text(".say.fit"), "Fits · rank 1 of 3 · binds here404");
    assert_eq!(stage.count(".node.best"), 1);
    assert_eq!(stage.count("button.say"), 0);
}

#[wasm_bindgen_test]
async fn a_node_that_refuses_says_why_and_works_it_out_when_asked() {
    let stage = Stage::of::<NodeCard>(card("node-a1")).await;
    assert_eq!(stage.text(".say .eq"), "2 + 1 − 1 = 2 > maxSkew 1");
    assert_eq!(stage.count(".sum"), 0);
    let stage =
        Stage::of::<NodeCard>(NodeCardProps { live: true, over: true, ..card("node-a1") }).await;
    assert_eq!(stage.text(".sum .tot .num"), "2 > 1");
    assert_eq!(stage.count(".say button"), 0);
    let stage = Stage::of::<NodeCard>(NodeCardProps { refused: true, ..card("node-a1") }).await;
    assert_eq!(stage.text(".say button"), "Place anyway");
}

#[wasm_bindgen_test]
async fn bars_get_their_width_without_a_style_attribute_of_ours() {
    let stage = Stage::of::<NodeCard>(card("node-a1")).await;
    let style = |selector: &str| stage.find(selector).get_attribute("style").unwrap_or_default();
    assert_eq!(style(".track .used"), "width: 87.5%;");
    assert_eq!(style(".track .plus"), "width: 12.5%;");
}

#[wasm_bindgen_test]
async fn a_row_is_named_for_those_who_do_not_see_it() {
    let stage = Stage::of::<NodeCard>(card("node-c3")).await;
    let label = stage.find("[role=rowheader]").get_attribute("aria-label").unwrap();
    assert_eq!(
        label,
        "node-c3, cpu 3.5 of 4, mem 4.5 of 8 Gi, 1 pod, dedicated=gpu:NoSchedule, cordoned, \
         rejected, node(s) were unschedulable "
    );
}

#[wasm_bindgen_test]
async fn the_tab_key_stops_at_one_place() {
    let here = |cursor| NodeCardProps { cursor: Some(cursor), ..card("node-a1") };
    let stage = Stage::of::<NodeCard>(here(Cursor::Pod("shop/web-1".into()))).await;
    assert_eq!(stage.count("[tabindex=\"0\"]"), 1);
    assert_eq!(
        stage.find("[tabindex=\"0\"]").get_attribute("data-name").as_deref(),
        Some("shop/web-1")
    );
    let stage = Stage::of::<NodeCard>(here(Cursor::Node("node-a1".into()))).await;
    assert_eq!(stage.find("[tabindex=\"0\"]").get_attribute("role").as_deref(), Some("rowheader"));
}

#[wasm_bindgen_test]
async fn a_chip_says_what_its_icons_show() {
    let props = |slot| PodChipProps {
        pod: fixture::pod("cache-1", 1, 100),
        selected: true,
        slot,
        tab_stop: true,
    };
    let stage = Stage::of::<PodChip>(props(false)).await;
    assert_eq!(
        stage.find(".pod").get_attribute("title").as_deref(),
        Some("shop/cache-1, priority 100, protected by a PodDisruptionBudget")
    );
    assert_eq!(stage.find(".pod").get_attribute("aria-pressed").as_deref(), Some("true"));
    assert_eq!(Stage::of::<PodChip>(props(true)).await.count(".pod.slot"), 1);
}

#[wasm_bindgen_test]
async fn the_filter_matrix_is_a_table_and_opens_its_sums() {
    let view = Some(Rc::new(fixture::inspector()));
    let closed =
        Stage::of::<Inspector>(InspectorProps::of(&AppState::default(), view.clone())).await;
    assert_eq!(closed.count(".mx th[scope=row]"), 4);
    assert_eq!(closed.count(".mx th[scope=col]"), 7);
    assert_eq!(closed.count(".mx td.no"), 3);
    assert_eq!(closed.text(".mx .res"), "Result out out #1 #3 #2 out".replace(' ', ""));
    assert_eq!(closed.count(".detail"), 0);
    let cell = Some(("PodTopologySpread".into(), "node-a2".into()));
    let state = AppState { cell, ..AppState::default() };
    let detail = Some(Rc::new(fixture::detail()));
    let props = InspectorProps { detail, ..InspectorProps::of(&state, view) };
    let open = Stage::of::<Inspector>(props).await;
    assert_eq!(open.text(".detail strong"), "node-a2 · PodTopologySpread");
    assert_eq!(open.text(".detail .eq"), "2 + 1 − 1 = 2 > maxSkew 1");
}

#[wasm_bindgen_test]
async fn the_score_table_opens_its_terms() {
    let env = Env::english(Callback::noop());
    let html = score_panel(&env, &fixture::score(), None, Some(&"TaintToleration".into()));
    let state = AppState { tab: Tab::Score, ..AppState::default() };
    let view = Some(Rc::new(fixture::inspector()));
    let props = InspectorProps {
        panels: [Some(Panel { html, number: 1 }), None],
        ..InspectorProps::of(&state, view)
    };
    let stage = Stage::of::<Inspector>(props).await;
    assert_eq!(stage.count(".bars li"), 2);
    assert_eq!(stage.text(".bar.on .tot"), "404");
    assert_eq!(stage.count(".tbl .open"), 1);
    assert_eq!(stage.text(".tbl .open p"), "More is better.");
    assert_eq!(stage.text(".tbl .sum-row td:last-child"), "404");
}

#[wasm_bindgen_test]
async fn the_criteria_are_a_table_that_frames_what_decided() {
    let props = PreemptionPanelProps {
        view: Rc::new(fixture::preemption()),
        words: RoomWords::read_english(),
    };
    let stage = Stage::of::<PreemptionPanel>(props).await;
    assert_eq!(stage.count(".crit th[scope=row]"), 2);
    assert_eq!(stage.count(".crit th[scope=col]"), 6);
    assert_eq!(stage.text(".crit th.by"), "highest prioritydecides");
    assert_eq!(stage.text(".crit .out s"), "100");
    assert_eq!(stage.text(".crit .win th"), "node-b1, chosen");
    // The chosen candidate is open; the other opens in its place.
    assert_eq!(stage.text(".steps .victim .name"), "batch-1");
    assert_eq!(stage.text(".steps .eq"), "cpu 3.75 + 0.5 = 4.25 > 4");
    stage.click(".cand li:nth-child(2) button").await;
    assert_eq!(stage.text(".steps .victim .name"), "web-4");
    assert_eq!(stage.text(".ledger tbody"), "web-pdb0web-4web-4");
    stage.click(".cand li:nth-child(2) button").await;
    assert_eq!(stage.count(".steps"), 0);
    assert_eq!(stage.text(".others dt"), "node-c3");
}

#[wasm_bindgen_test]
async fn shadows_say_that_their_pod_is_not_there() {
    let mut node = (**fixture::cluster().node("node-b1").unwrap()).clone();
    node.makes_room = true;
    node.shadows = vec![
        Shadow { pod: fixture::pod("batch-7", 3, 0), gone: true },
        Shadow { pod: fixture::pod("pay-1", 2, 9), gone: false },
    ];
    let stage =
        Stage::of::<NodeCard>(NodeCardProps { node: Rc::new(node), ..card("node-b1") }).await;
    let label = |nth| {
        let cell = format!(".pods > .cell:nth-last-child({nth})");
        stage.find(&cell).get_attribute("title").unwrap()
    };
    assert_eq!(label(2), "shop/batch-7, priority 0, was preempted");
    assert_eq!(label(1), "shop/pay-1, priority 9, nominated to this node");
    assert_eq!(stage.count(".node.best"), 1);
    assert_eq!(stage.text(".say.fit strong"), "Preempts here");
}
