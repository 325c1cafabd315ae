//! The drag machine, path by path.

use super::{By, Drag, Effect, Grip, Input, Subject, Target};

fn pod() -> Subject {
    Subject::Pod("shop/web-5".into())
}

#[expect(clippy::unnecessary_wraps, reason = "a target is optional wherever it is wanted")]
fn node(name: &'static str) -> Option<Target> {
    Some(Target::Node(name.into()))
}

fn press(grip: Grip) -> Input {
    Input::Press { subject: pod(), pointer: 1, grip, at: (100, 100) }
}

fn moved(x: i32, y: i32, over: Option<Target>) -> Input {
    Input::Move { pointer: 1, at: (x, y), over }
}

/// Runs the inputs and returns the last state and every effect that is one.
fn run(inputs: impl IntoIterator<Item = Input>) -> (Drag, Vec<Effect>) {
    let mut effects = Vec::new();
    let mut state = Drag::Idle;
    for input in inputs {
        let (next, effect) = state.step(input);
        state = next;
        if effect != Effect::None {
            effects.push(effect);
        }
    }
    (state, effects)
}

#[test]
fn a_mouse_lifts_after_five_pixels() {
    let (state, effects) = run([press(Grip::Mouse), moved(105, 100, None)]);
    assert!(matches!(state, Drag::Pressed { .. }));
    assert_eq!(effects, []);
    let (state, effects) = run([press(Grip::Mouse), moved(106, 100, node("a1"))]);
    assert_eq!(state, Drag::Held { subject: pod(), by: By::Pointer(1), over: node("a1") });
    assert_eq!(effects, [Effect::Lifted(pod())]);
}

#[test]
fn a_press_without_movement_is_left_to_click() {
    let up = Input::Release { pointer: 1, over: node("a1"), bypass: false };
    assert_eq!(run([press(Grip::Mouse), up]), (Drag::Idle, vec![]));
}

#[test]
fn a_drop_names_the_target_and_the_alt_key() {
    for bypass in [false, true] {
        let up = Input::Release { pointer: 1, over: node("a2"), bypass };
        let (state, effects) = run([press(Grip::Mouse), moved(120, 100, node("a1")), up]);
        assert_eq!(state, Drag::Idle);
        let dropped = Effect::Dropped { subject: pod(), target: Target::Node("a2".into()), bypass };
        assert_eq!(effects, [Effect::Lifted(pod()), dropped]);
    }
}

#[test]
fn only_a_new_target_is_worth_saying() {
    let (_, effects) = run([
        press(Grip::Mouse),
        moved(120, 100, node("a1")),
        moved(121, 100, node("a1")),
        moved(180, 100, node("a2")),
        moved(181, 100, None),
    ]);
    let aimed = |over| Effect::Aimed(pod(), over);
    assert_eq!(effects, [Effect::Lifted(pod()), aimed(node("a2")), aimed(None)]);
}

#[test]
fn a_drop_beside_every_target_returns_the_pod() {
    let up = Input::Release { pointer: 1, over: None, bypass: false };
    let (state, effects) = run([press(Grip::Mouse), moved(120, 100, None), up]);
    assert_eq!(state, Drag::Idle);
    assert_eq!(effects, [Effect::Lifted(pod()), Effect::Returned(pod())]);
}

#[test]
fn a_finger_scrolls_unless_it_rests() {
    // It moves first: the page scrolls, and resting later changes nothing.
    let (state, effects) =
        run([press(Grip::Touch), moved(100, 110, None), Input::Rested { pointer: 1 }]);
    assert_eq!((state, effects), (Drag::Idle, vec![]));
    // It rests first: the pod is lifted.
    let (state, effects) =
        run([press(Grip::Touch), Input::Rested { pointer: 1 }, moved(100, 160, node("b1"))]);
    assert_eq!(state, Drag::Held { subject: pod(), by: By::Pointer(1), over: node("b1") });
    assert_eq!(effects, [Effect::Lifted(pod()), Effect::Aimed(pod(), node("b1"))]);
}

#[test]
fn a_mouse_never_lifts_by_resting() {
    let (state, _) = run([press(Grip::Mouse), Input::Rested { pointer: 1 }]);
    assert!(matches!(state, Drag::Pressed { .. }));
}

#[test]
fn abort_returns_what_is_held_by_anyone() {
    for by in [By::Pointer(1), By::Keys, By::Taps] {
        let held = Drag::Held { subject: pod(), by, over: node("a1") };
        assert_eq!(held.step(Input::Abort), (Drag::Idle, Effect::Returned(pod())));
    }
    assert_eq!(run([press(Grip::Mouse), Input::Abort]), (Drag::Idle, vec![]));
    assert_eq!(run([Input::Abort]), (Drag::Idle, vec![]));
}

#[test]
fn another_pointer_has_no_say() {
    let other = [
        Input::Move { pointer: 2, at: (300, 300), over: None },
        Input::Release { pointer: 2, over: node("c1"), bypass: false },
        Input::Press {
            subject: Subject::Node("a1".into()),
            pointer: 2,
            grip: Grip::Touch,
            at: (0, 0),
        },
    ];
    let (held, _) = run([press(Grip::Mouse), moved(120, 100, node("a1"))]);
    for input in other {
        assert_eq!(held.clone().step(input), (held.clone(), Effect::None));
    }
}

#[test]
fn keys_lift_aim_and_drop() {
    let lift = Input::Lift { subject: pod(), by: By::Keys, over: node("b1") };
    let aim = Input::Aim(Target::Zone("zone-a".into()));
    let drop = Input::Drop { target: None, bypass: false };
    let (state, effects) = run([lift, aim, drop]);
    assert_eq!(state, Drag::Idle);
    let zone = Target::Zone("zone-a".into());
    assert_eq!(
        effects,
        [
            Effect::Lifted(pod()),
            Effect::Aimed(pod(), Some(zone.clone())),
            Effect::Dropped { subject: pod(), target: zone, bypass: false }
        ]
    );
}

#[test]
fn a_tap_on_a_target_drops_there() {
    let lift = Input::Lift { subject: pod(), by: By::Taps, over: None };
    // Arrow keys do not aim what waits for a tap.
    let aim = Input::Aim(Target::Node("c1".into()));
    let tap = Input::Drop { target: node("b2"), bypass: true };
    let (_, effects) = run([lift, aim, tap]);
    let dropped =
        Effect::Dropped { subject: pod(), target: Target::Node("b2".into()), bypass: true };
    assert_eq!(effects, [Effect::Lifted(pod()), dropped]);
}

#[test]
fn a_pointer_drop_needs_its_pointer() {
    let (held, _) = run([press(Grip::Mouse), moved(120, 100, node("a1"))]);
    let drop = Input::Drop { target: node("a2"), bypass: false };
    assert_eq!(held.clone().step(drop), (held, Effect::None));
}
