package scenario

import (
	"fmt"
	"time"
)

// full makes nodes on which every CPU is taken by lower pods of one CPU each, and waiting pods that need three: every
// node is a candidate with three victims. One pod in ten is under a disruption budget.
func (g *gen) full(nodes, running, waiting int, add func(m)) {
	alloc := m{"cpu": fmt.Sprint(running / nodes), "memory": "128Gi", "pods": "110"}
	for j := range nodes {
		name := fmt.Sprintf("node-%05d", j)
		add(m{"apiVersion": "v1", "kind": "Node", "metadata": m{"name": name, "labels": m{hostKey: name, zoneKey: fmt.Sprintf("zone-%c", 'a'+j%3)}}, "status": m{"allocatable": alloc, "capacity": alloc}})
	}
	add(m{"apiVersion": "v1", "kind": "Namespace", "metadata": m{"name": "default"}})
	for j := range 5 {
		app := fmt.Sprintf("app-%d", j)
		add(m{"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": m{"name": app, "namespace": "default"},
			"spec": m{"selector": m{"matchLabels": m{"app": app}}}, "status": m{"disruptionsAllowed": 1, "currentHealthy": 1, "desiredHealthy": 0, "expectedPods": 1}})
	}
	pod := func(name, cpu string, priority int) m {
		spec := m{"priority": priority, "containers": []any{m{"name": "c", "image": "nginx:1.25", "resources": m{"requests": m{"cpu": cpu, "memory": pick(g, "128Mi", "256Mi", "512Mi")}}}}}
		return m{"apiVersion": "v1", "kind": "Pod", "metadata": m{"name": name, "namespace": "default", "labels": m{"app": fmt.Sprintf("app-%d", g.Intn(50))}}, "spec": spec, "status": m{"phase": "Pending"}}
	}
	begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for j := range running / nodes * nodes {
		p := pod(fmt.Sprintf("run-%06d", j), "1", g.Intn(10))
		p["spec"].(m)["nodeName"] = fmt.Sprintf("node-%05d", j%nodes)
		p["status"] = m{"phase": "Running", "startTime": begin.Add(time.Duration(g.Intn(100_000)) * time.Second).Format(time.RFC3339)}
		add(p)
	}
	for j := range waiting {
		add(pod(fmt.Sprintf("wait-%05d", j), "3", 1000))
	}
}
