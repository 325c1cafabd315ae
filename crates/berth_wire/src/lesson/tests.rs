//! Lessons: read with every mistake at its place, evaluated, carried out, and written so that they read the same.

use berth_core::api::ObjectKey;
use berth_core::framework::config::Configuration;
use berth_core::playground::Playground;

use super::goal::Found;
use super::{Goal, Lesson, Opened, Step, head, is_lesson, read, words, write};
use crate::export;
use crate::intake::{SEED, take_in};

const HEAD: &str = "\
apiVersion: berth/v1
kind: Lesson
id: one
title: One
pod: default/web-3
text: [Look.]
predict: {fit: [b1]}
goal:
- pod web-3 scheduled on zone b
hints: [Try.]
explanation: [So.]
solution:
- schedule web-3
";

const CLUSTER: &str = "\
---
apiVersion: v1
kind: Node
metadata: {name: a1, labels: {topology.kubernetes.io/zone: a}}
status: {allocatable: {cpu: 2, memory: 4Gi, pods: 10}}
---
apiVersion: v1
kind: Node
metadata: {name: b1, labels: {topology.kubernetes.io/zone: b}}
status: {allocatable: {cpu: 2, memory: 4Gi, pods: 10}}
---
apiVersion: v1
kind: Pod
metadata: {name: web-1, labels: {app: web}}
spec: {nodeName: a1, priority: 1, containers: [{name: main, image: i, resources: {requests: {cpu: 1500m}}}]}
---
apiVersion: v1
kind: Pod
metadata: {name: web-3, labels: {app: web}}
spec:
  priority: 5
  containers: [{name: main, image: i, resources: {requests: {cpu: 1}}}]
  topologySpreadConstraints:
  - {maxSkew: 1, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: web}}}
---
apiVersion: apps/v1
kind: ReplicaSet
metadata: {name: small}
spec:
  replicas: 1
  selector: {matchLabels: {app: small}}
  template: {metadata: {labels: {app: small}}, spec: {containers: [{name: main, image: i}]}}
";

fn opened() -> Opened {
    read(&[HEAD, CLUSTER].concat()).unwrap()
}

fn playground() -> Playground {
    let report = opened().report;
    Playground::new(take_in(&report, SEED).objects, Configuration::default()).unwrap()
}

/// What is said of a text: each mistake as `line:column: message`.
fn mistakes(text: &str) -> Vec<String> {
    read(text).unwrap_err().iter().map(ToString::to_string).collect()
}

fn holds(playground: &mut Playground, line: &str) -> bool {
    Goal::parse(line).unwrap().evaluate(playground).met
}

#[track_caller]
fn step(playground: &mut Playground, line: &str) {
    let step = Step::parse(line).unwrap();
    if let Err(failure) = step.carry_out(playground) {
        panic!("{line}: {failure}");
    }
}

fn failure(playground: &mut Playground, line: &str) -> String {
    let before = playground.revision();
    let failure = Step::parse(line).unwrap().carry_out(playground).unwrap_err().to_string();
    assert_eq!(playground.revision(), before);
    failure
}

#[test]
fn a_lesson_is_its_first_document() {
    let Opened { lesson, report } = opened();
    let Lesson { id, title, pod, goal, solution, .. } = &lesson;
    assert_eq!((id.as_str(), title.as_str()), ("one", "One"));
    assert_eq!(pod, &Some(ObjectKey::new("default", "web-3")));
    assert_eq!((goal.len(), solution.len()), (1, 1));
    assert_eq!(report.items.len(), 5);
    assert!(report.others.is_empty(), "the lesson is no object of the cluster");
    assert_eq!(head(HEAD).unwrap(), lesson);
    assert!(is_lesson(HEAD) && !is_lesson(CLUSTER));
}

#[test]
fn every_mistake_is_said_at_its_place() {
    let wrong = HEAD
        .replace("text: [Look.]", "txt: [Look.]\nquestions: [pending, whether]")
        .replace("scheduled on zone b", "is pending")
        .replace(
            "- schedule web-3",
            "- schedule\n- 'taint a1 x=y:Never'\n- move web-3 near b1\n- edit pod web-3 maxSkew [",
        );
    assert_eq!(
        mistakes(&wrong),
        [
            "6:1: unknown field \"txt\"",
            "7:22: expected one of pending, evicted, uneven; found \"whether\"",
            "10:13: expected one of pending, gone, scheduled, nominated, terminating, phase, priority; found \"is\"",
            "14:11: the pod is missing",
            "15:13: expected one of NoSchedule, PreferNoSchedule, NoExecute; found \"Never\"",
            "16:14: expected \"to\", found \"near\"",
            "17:26: while parsing a node, did not find expected node content",
        ]
    );
}

#[test]
fn what_is_missing_is_named() {
    let bare = "apiVersion: berth/v1\nkind: Lesson\nid: x\npredict: {fit: []}\n";
    let want = ["title", "text", "goal", "solution", "pod"];
    assert_eq!(mistakes(bare), want.map(|field| format!("1:1: {field} is missing")));
    assert_eq!(
        mistakes("kind: Pod\n")[0],
        "1:1: a lesson begins with apiVersion: berth/v1 and kind: Lesson"
    );
    assert_eq!(mistakes("")[0], "1:1: there is nothing to read");
}

#[test]
fn a_lesson_says_what_it_was_told() {
    let told =
        words("id: one\ntitle: Satu\ntext: [Lihat.]\nhints: [Coba.]\nexplanation: [Jadi.]\n");
    let (mut lesson, english) = (head(HEAD).unwrap(), head(HEAD).unwrap());
    lesson.say(told.unwrap());
    assert_eq!(lesson.title, "Satu");
    assert_eq!(
        (&*lesson.text[0], &*lesson.hints[0], &*lesson.explanation[0]),
        ("Lihat.", "Coba.", "Jadi.")
    );
    assert_eq!(
        (lesson.id, lesson.goal, lesson.solution),
        (english.id, english.goal, english.solution)
    );
    let wrong = |text: &str| -> Vec<String> {
        words(text).unwrap_err().iter().map(ToString::to_string).collect()
    };
    assert_eq!(wrong("id: one\n"), ["1:1: title is missing"]);
    assert_eq!(wrong("id: one\ntitle: Satu\ngoal: []\n"), ["3:1: unknown field \"goal\""]);
    assert_eq!(
        wrong("id: one\ntitle: Satu\ntext: Lihat\n"),
        ["3:7: expected a list, found string"]
    );
}

#[test]
fn mistakes_of_the_cluster_are_mistakes_of_the_lesson() {
    let text = [HEAD, &CLUSTER.replace("maxSkew: 1", "maxSkew: one")].concat();
    let found = mistakes(&text);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with("37:15: Pod web-3: json: cannot unmarshal string"), "{found:?}");
}

#[test]
fn facts_are_looked_up() {
    let mut cluster = playground();
    let all = [
        ("pod web-3 pending", true),
        ("not pod web-3 pending", false),
        ("pod web-1 scheduled", true),
        ("pod web-1 scheduled on node a1", true),
        ("pod web-1 scheduled on zone b", false),
        ("pod web-3 scheduled", false),
        ("pod nobody gone", true),
        ("pod web-1 gone", false),
        ("pod web-3 priority >= 5", true),
        ("no pod pending", false),
        ("pods count = 3", true),
        ("pods of app=web count = 2", true),
        ("pods of app=web in elsewhere count = 0", true),
        ("pods of app=web pending < 1", false),
        ("pods of app=web on zone a = 1", true),
        ("pods of app=web skew <= 1 over zone", true),
        ("pods of app=web skew > 1 over zone", false),
        ("nodes for web-3 = [b1]", true),
        ("nodes for web-3 = [a1, b1]", false),
        ("best for web-3 = [b1]", true),
        ("victims of web-3 = []", true),
        ("event of web-3 contains \"nodes\"", false),
    ];
    let revision = cluster.revision();
    for (line, met) in all {
        assert_eq!(holds(&mut cluster, line), met, "{line}");
    }
    assert_eq!(cluster.revision(), revision);
    step(&mut cluster, "cordon b1");
    assert!(holds(&mut cluster, "event of web-3 contains \"1 node(s) were unschedulable\""));
    let goal = Goal::parse("pods of app=web skew = 0 over zone").unwrap();
    assert_eq!(goal.evaluate(&mut cluster).found, Found::Number(1));
}

#[test]
fn steps_do_what_they_say_and_can_be_undone() {
    let mut cluster = playground();
    let before = export::objects(&opened().report, cluster.cluster());
    let all = [
        ("cordon b1", "not nodes for web-3 = [b1]"),
        ("uncordon b1", "nodes for web-3 = [b1]"),
        ("taint b1 x=y:NoSchedule", "nodes for web-3 = []"),
        ("untaint b1 x:NoSchedule", "nodes for web-3 = [b1]"),
        ("label node b1 topology.kubernetes.io/zone=a", "nodes for web-3 = [b1]"),
        ("unlabel node b1 topology.kubernetes.io/zone", "nodes for web-3 = []"),
        ("label node b1 topology.kubernetes.io/zone=b", "nodes for web-3 = [b1]"),
        ("edit pod web-3 cpu 500m", "nodes for web-3 = [b1]"),
        ("edit pod web-3 maxSkew 2", "nodes for web-3 = [a1, b1]"),
        ("edit pod web-3 spec.topologySpreadConstraints none", "nodes for web-3 = [a1, b1]"),
        ("edit pod web-3 cpu 1", "nodes for web-3 = [b1]"),
        (
            "edit pod web-3 nodeSelector {topology.kubernetes.io/zone: a}",
            "victims of web-3 = [web-1]",
        ),
        ("preempt web-3", "pod web-1 gone"),
        ("return web-3", "pod web-3 pending"),
        ("force web-3 to b1", "pod web-3 scheduled on node b1"),
        ("scale replicaset small 3", "pods of app=small count = 3"),
        ("schedule next", "pods of app=small pending = 2"),
        ("schedule all", "no pod pending"),
        ("delete replicaset small", "pods of app=small count = 3"),
        ("delete pod web-3", "pod web-3 gone"),
    ];
    for (line, goal) in all {
        step(&mut cluster, line);
        assert!(holds(&mut cluster, goal), "{line}: {goal}");
    }
    assert_eq!(cluster.log().count(), all.len());
    while cluster.undo() {}
    assert_eq!(export::objects(&opened().report, cluster.cluster()), before);
}

#[test]
fn steps_that_cannot_be_carried_out_change_nothing() {
    let mut cluster = playground();
    let all = [
        ("move web-3 to a1", "default/web-3 does not fit on a1"),
        ("delete pod nobody", "Pod \"default/nobody\" not found"),
        ("cordon c1", "Node \"c1\" not found"),
        (
            "edit pod web-3 priorityClassName gold",
            "pods \"web-3\" is forbidden: no PriorityClass with name gold was found",
        ),
        ("edit pod web-3 spec.containers[3].image x", "there is no field at this path"),
    ];
    for (line, words) in all {
        assert_eq!(failure(&mut cluster, line), words, "{line}");
    }
    let words = failure(&mut cluster, "edit pod web-3 maxSkew two");
    assert!(words.contains("cannot unmarshal string"), "{words}");
}

#[test]
fn a_lesson_made_of_a_cluster_and_its_log_reads_the_same() {
    let (report, mut cluster) = (opened().report, playground());
    let lines = [
        "edit pod default/web-3 spec.topologySpreadConstraints[0].maxSkew 2",
        "cordon b1",
        "edit node a1 metadata.labels.team \"blue\"",
        "uncordon b1",
        "move default/web-3 to b1",
        "schedule all",
        "delete pod default/web-1",
    ];
    for line in lines {
        step(&mut cluster, line);
    }
    let class =
        "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: x}\nvalue: 3\n";
    let text = HEAD.replace(
        "- schedule web-3\n",
        &["- apply:\n    ", &class.replace('\n', "\n    ")].concat(),
    );
    let with_class = head(text.trim_end()).unwrap();
    with_class.solution[0].carry_out(&mut cluster).unwrap();

    let pod = ObjectKey::new("default", "web-3");
    let made = write::lesson("Made", Some(&pod), &report, &cluster);
    let Opened { lesson, report } =
        read(&made).unwrap_or_else(|mistakes| panic!("{made}{mistakes:?}"));
    let texts: Vec<&str> = lesson.solution.iter().map(|step| step.text.as_str()).collect();
    assert_eq!(texts, [&lines[..], &["apply PriorityClass x"]].concat());
    assert_eq!(lesson.goal[0].text, "pod default/web-3 scheduled on node b1");
    // From its own start, its own solution comes to the same cluster.
    let mut again =
        Playground::new(take_in(&report, SEED).objects, Configuration::default()).unwrap();
    for step in &lesson.solution {
        step.carry_out(&mut again).unwrap();
    }
    assert!(lesson.goal[0].evaluate(&mut again).met);
    let now = |cluster: &Playground| export::objects(&report, cluster.cluster());
    assert_eq!(now(&again), now(&cluster));
}

#[test]
fn nothing_that_is_written_makes_it_panic() {
    let lines = [
        "",
        " ",
        "[",
        "\"",
        "pods of",
        "pods of =",
        "edit pod a [",
        "edit pod a b.. c",
        "taint n :",
        "é = é",
    ];
    for line in lines {
        assert!(Goal::parse(line).is_err(), "{line}");
        assert!(Step::parse(line).is_err(), "{line}");
    }
    for end in 0..HEAD.len() {
        if let Some(part) = HEAD.get(..end) {
            let _ = read(part);
        }
    }
}
