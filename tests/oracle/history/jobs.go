package history

import (
	"fmt"

	"k8s.io/utils/ptr"
)

// jobs: Jobs whose pods end well and badly, one after the other or by index,
// while they are suspended, scaled, preempted and evicted.
func (g *gen) jobs() {
	g.weights()
	g.classes(false)
	g.zones = 2
	g.nodes(1+g.Intn(3), 2500, 9000)
	g.in.Kubelet.StaggerSeconds = pick(g, 0, 1.125, 1.125, 2.25)
	g.in.Kubelet.ExitSeconds = ptr.To(pick(g, 0.5, 0.5, 4.25, 100))
	g.rule("end=well", nil, nil, ptr.To(pick(g, 3.25, 7.125, 12.375)))
	g.in.Kubelet.Rules = append(g.in.Kubelet.Rules,
		KubeletRule{Label: "end=badly", FailSeconds: ptr.To(pick(g, 2.5, 4.125, 9.25)), ExitCode: ptr.To(pick(g, 1.0, 42.0))})
	end := pick(g, 60, 100)
	names := []string{"a", "b"}[:1+g.Intn(2)]
	for _, name := range names {
		job := g.job(name)
		if g.chance(50) {
			g.add(job)
		} else {
			g.act(Action{At: g.moment(1, 10), Create: encode(job)})
		}
	}
	for range g.Intn(6) {
		name := pick(g, names...)
		a := Action{At: g.moment(4, end-10)}
		switch g.Intn(10) {
		case 0, 1:
			a.Patch, a.With = "Job/default/"+name, encode(obj{"spec": obj{"suspend": true}})
			g.act(Action{At: g.moment(int(a.At)+1, end), Patch: a.Patch, With: encode(obj{"spec": obj{"suspend": false}})})
		case 2, 3:
			a.Patch, a.With = "Job/default/"+name, encode(obj{"spec": obj{"parallelism": g.Intn(5)}})
		case 4:
			a.Patch, a.With = "Job/default/"+name, encode(obj{"spec": obj{"activeDeadlineSeconds": pick(g, 5, 20, 40)}})
		case 5:
			a.Delete = "Job/default/" + name
		case 6:
			a.Delete = fmt.Sprintf("Pod/default/%s-%s", name, suffix(g.Intn(4)))
			if g.chance(30) {
				a.GracePeriodSeconds = ptr.To(int64(0))
			}
		case 7:
			a.Evict = fmt.Sprintf("Pod/default/%s-%s", name, suffix(g.Intn(4)))
		case 8:
			a.Delete = fmt.Sprintf("Pod/default/%s-%d-%s", name, g.Intn(3), suffix(g.Intn(2)))
		case 9:
			t := g.template("big", "top", 1500+g.Intn(2000), 1)
			a.Create = encode(asPod(fmt.Sprint("big", g.moments), t))
		}
		g.act(a)
	}
	if g.chance(15) {
		g.act(Action{At: g.moment(10, end-20), Delete: "Node/n1"})
	}
	if g.chance(20) {
		g.add(obj{"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": obj{"name": "pdb"},
			"spec": obj{"minAvailable": g.Intn(3), "selector": obj{"matchLabels": obj{"app": names[0]}}}})
	}
	g.in.Until = float64(end + pick(g, 20, 100, 400))
}

func (g *gen) job(name string) obj {
	t := g.template(name, pick(g, "low", "low", "mid"), 200+g.Intn(900), pick(g, 0, 1, 10, 30))
	t["metadata"].(obj)["labels"].(obj)["end"] = pick(g, "well", "well", "badly", "never")
	spec := obj{"template": t, "parallelism": 1 + g.Intn(4)}
	restarts := pick(g, "Never", "Never", "Never", "OnFailure")
	if g.chance(85) {
		spec["completions"] = 1 + g.Intn(6)
	}
	indexed := g.chance(45)
	if indexed {
		spec["completionMode"] = "Indexed"
		if spec["completions"] == nil {
			spec["completions"] = 3
		}
		// an index of its own fate
		for i := range 3 {
			label := fmt.Sprintf("batch.kubernetes.io/job-completion-index=%d", i)
			r := KubeletRule{Label: label}
			switch g.Intn(4) {
			case 0:
				r.FailSeconds = ptr.To(pick(g, 1.25, 3.5))
				r.ExitCode = ptr.To(pick(g, 1.0, 42.0))
			case 1:
				r.RunSeconds = ptr.To(pick(g, 2.75, 5.25))
			default:
				continue
			}
			g.in.Kubelet.Rules = append([]KubeletRule{r}, g.in.Kubelet.Rules...)
		}
		if g.chance(50) {
			spec["backoffLimitPerIndex"] = g.Intn(3)
			restarts = "Never"
			if g.chance(50) {
				spec["maxFailedIndexes"] = g.Intn(3)
			}
		}
		if g.chance(25) {
			rule := obj{"succeededCount": 1 + g.Intn(2)}
			if g.chance(50) {
				rule["succeededIndexes"] = pick(g, "0", "0-1", "1,2")
			}
			spec["successPolicy"] = obj{"rules": []any{rule}}
		}
	}
	if spec["backoffLimitPerIndex"] == nil || g.chance(30) {
		spec["backoffLimit"] = pick(g, 0, 1, 2, 3, 6)
	}
	if g.chance(25) {
		spec["activeDeadlineSeconds"] = pick(g, 5, 15, 40, 90)
	}
	if g.chance(10) {
		spec["suspend"] = true
		g.act(Action{At: g.moment(12, 30), Patch: "Job/default/" + name, With: encode(obj{"spec": obj{"suspend": false}})})
	}
	if g.chance(25) {
		spec["podReplacementPolicy"] = "Failed"
	}
	if g.chance(30) {
		restarts = "Never"
		delete(spec, "podReplacementPolicy")
		var rules []any
		if g.chance(60) {
			action := pick(g, "FailJob", "Ignore", "Count")
			if spec["backoffLimitPerIndex"] != nil && g.chance(50) {
				action = "FailIndex"
			}
			rules = append(rules, obj{"action": action,
				"onExitCodes": obj{"operator": pick(g, "In", "In", "NotIn"), "values": []any{pick(g, 1, 42)}}})
		}
		if g.chance(70) || len(rules) == 0 {
			rules = append(rules, obj{"action": pick(g, "Ignore", "Ignore", "FailJob"),
				"onPodConditions": []any{obj{"type": "DisruptionTarget", "status": "True"}}})
		}
		spec["podFailurePolicy"] = obj{"rules": rules}
	}
	t["spec"].(obj)["restartPolicy"] = restarts
	return obj{"apiVersion": "batch/v1", "kind": "Job", "metadata": obj{"name": name}, "spec": spec}
}
