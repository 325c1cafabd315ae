package scenario

import (
	"encoding/json"
	"fmt"
)

// lowest is the priority that adds nothing to a sum of priorities.
const lowest = -2147483648

// victims makes clusters without room, in which preemption has much to weigh: budgets that overlap, host ports,
// affinity and spread between the victims and the pod, nominated pods of every priority, victims that are going
// already, pods that may not preempt. A crowd has few nodes with many pods, whose order hangs on the sort.
type victims struct {
	*gen
	add    func(m)
	crowd  bool
	starts int // start times in use; 0: none
	prios  []int
	pods   int
	ports  bool
	shun   bool
	lone   bool // one pod of each node decides the highest priority, the rest counts for nothing
}

func (g *gen) victims(crowd bool, add func(m)) json.RawMessage {
	v := &victims{gen: g, add: add, crowd: crowd}
	v.prios = [][]int{{0, 1, 2, 5, 10}, {1, 1, 1, 2}, {-5, 0, 5}, {10}, {3, 3, 4}, {lowest, -10, 999}, {lowest, lowest, 7}}[g.Intn(7)]
	v.starts = pick(g, 0, 1, 2, 4, 60)
	v.ports = g.p(12)
	v.shun = g.p(12)
	v.lone = !crowd && g.p(8)
	n := 3 + g.Intn(4)
	if g.p(15) {
		n = 1 + g.Intn(2)
	}
	if crowd {
		n = 1 + g.Intn(2)
	}
	add(m{"apiVersion": "v1", "kind": "Namespace", "metadata": m{"name": "default"}})
	for j := range n {
		v.fill(j)
	}
	if g.p(60) {
		for j := range 1 + g.Intn(4) {
			v.budget(j)
		}
	}
	if g.p(20) {
		for j := range 1 + g.Intn(3) {
			v.nominated(j)
		}
	}
	v.incoming()
	if g.p(5) {
		return v.config()
	}
	return nil
}

// fill makes a node and the pods that leave no room on it.
func (v *victims) fill(j int) {
	name := fmt.Sprintf("n-%d", j)
	v.nodes = append(v.nodes, name)
	slots := 2 + v.Intn(4)
	if v.crowd {
		slots = 12 + v.Intn(32)
	}
	room, most := 500*slots, 110
	if v.lone {
		room = 2000
	}
	if !v.crowd && v.p(8) {
		room, most = 100000, slots
	}
	alloc := m{"cpu": fmt.Sprintf("%dm", room), "memory": "64Gi", "pods": fmt.Sprint(most)}
	labels := m{hostKey: name, zoneKey: fmt.Sprintf("zone-%c", 'a'+j%3)}
	if v.p(3) {
		delete(labels, zoneKey)
	}
	spec := m{}
	if v.p(5) {
		spec["unschedulable"] = true
	}
	v.add(m{"apiVersion": "v1", "kind": "Node", "metadata": m{"name": name, "labels": labels}, "spec": spec, "status": m{"allocatable": alloc}})
	if v.lone {
		v.pod(name, 1000, 7)
		parts := 1 + v.Intn(3)
		for range parts {
			v.pod(name, 1000/parts, lowest)
		}
		return
	}
	for range slots {
		cpu := 500
		if v.p(25) {
			cpu = pick(v.gen, 100, 250, 400)
		}
		prio := pick(v.gen, v.prios...)
		if v.p(5) {
			prio = pick(v.gen, 1000, 5000)
		}
		v.pod(name, cpu, prio)
	}
}

func (v *victims) labels() m {
	l := m{"app": pick(v.gen, "web", "db")}
	if v.p(50) {
		l["tier"] = pick(v.gen, "x", "y")
	}
	if v.p(8) {
		l = m{}
	}
	return l
}

func (v *victims) pod(node string, cpu, prio int) {
	meta := m{"name": fmt.Sprintf("p%d", v.pods), "namespace": "default", "labels": v.labels()}
	v.pods++
	if v.p(5) {
		meta["namespace"] = "prod"
	}
	st := m{"phase": "Running"}
	if v.starts > 0 && !v.p(pick(v.gen, 0, 0, 4)*10) {
		st["startTime"] = fmt.Sprintf("2026-01-01T00:00:%02dZ", v.Intn(v.starts))
	}
	if v.p(4) {
		meta["deletionTimestamp"] = "2026-01-01T01:00:00Z"
		if v.p(70) {
			conditions := []any{m{"type": "DisruptionTarget", "status": pick(v.gen, "True", "True", "True", "False"), "reason": pick(v.gen, "PreemptionByScheduler", "PreemptionByScheduler", "EvictionByEvictionAPI")}}
			if v.p(20) {
				conditions = append([]any{m{"type": "Ready", "status": "True"}}, conditions...)
			}
			st["conditions"] = conditions
		}
	}
	c := m{"name": "c", "image": "i", "resources": m{"requests": m{"cpu": fmt.Sprintf("%dm", cpu)}}}
	if v.ports && v.p(50) {
		c["ports"] = []any{v.port()}
	}
	spec := m{"nodeName": node, "containers": []any{c}}
	if prio != 0 || v.p(50) {
		spec["priority"] = prio
	}
	if v.shun && v.p(30) {
		spec["affinity"] = m{"podAntiAffinity": v.near()}
	}
	v.add(m{"apiVersion": "v1", "kind": "Pod", "metadata": meta, "spec": spec, "status": st})
}

func (v *victims) port() m {
	p := m{"containerPort": 80, "hostPort": pick(v.gen, 80, 80, 81)}
	if v.p(20) {
		p["hostIP"] = pick(v.gen, "127.0.0.1", "10.0.0.1")
	}
	if v.p(10) {
		p["protocol"] = "UDP"
	}
	return p
}

// which selects pods, in one of the ways in which selections overlap.
func (v *victims) which() m {
	switch v.Intn(8) {
	case 0, 1, 2:
		return m{"matchLabels": m{"app": pick(v.gen, "web", "db")}}
	case 3, 4:
		return m{"matchLabels": m{"tier": pick(v.gen, "x", "y")}}
	case 5:
		return m{"matchExpressions": []any{m{"key": "app", "operator": "In", "values": []string{"web", "db"}}}}
	case 6:
		return m{"matchExpressions": []any{m{"key": "tier", "operator": pick(v.gen, "Exists", "DoesNotExist")}}}
	}
	return m{}
}

func (v *victims) near() m {
	term := m{"topologyKey": pick(v.gen, hostKey, hostKey, zoneKey), "labelSelector": v.which()}
	if v.p(10) {
		term["namespaces"] = []string{"default", "prod"}
	}
	return m{"requiredDuringSchedulingIgnoredDuringExecution": []any{term}}
}

func (v *victims) budget(j int) {
	st := m{"disruptionsAllowed": pick(v.gen, 0, 0, 0, 1, 2, 3)}
	if v.crowd {
		st["disruptionsAllowed"] = v.Intn(20)
	}
	if v.p(15) {
		gone := m{}
		for range 1 + v.Intn(3) {
			gone[fmt.Sprintf("p%d", v.Intn(v.pods))] = "2026-01-01T00:00:00Z"
		}
		st["disruptedPods"] = gone
	}
	spec := m{"minAvailable": 1, "selector": v.which()}
	if v.p(4) {
		delete(spec, "selector")
	}
	ns := "default"
	if v.p(8) {
		ns = "prod"
	}
	v.add(m{"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": m{"name": fmt.Sprintf("b%d", j), "namespace": ns}, "spec": spec, "status": st})
}

// nominated makes a pod that waits for a node: lower than the pod in question, its equal, or higher.
func (v *victims) nominated(j int) {
	c := m{"name": "c", "image": "i", "resources": m{"requests": m{"cpu": pick(v.gen, "100m", "250m", "500m")}}}
	if v.ports {
		c["ports"] = []any{v.port()}
	}
	spec := m{"containers": []any{c}, "priority": pick(v.gen, lowest, 0, 5, 999, 1000, 1001, 5000)}
	if v.p(15) {
		spec["affinity"] = m{"podAntiAffinity": v.near()}
	}
	v.add(m{"apiVersion": "v1", "kind": "Pod", "metadata": m{"name": fmt.Sprintf("w%d", j), "namespace": "default", "labels": v.labels()}, "spec": spec,
		"status": m{"phase": "Pending", "nominatedNodeName": pick(v.gen, v.nodes...)}})
}

func (v *victims) incoming() {
	labels := m{"app": pick(v.gen, "web", "db")}
	cpu := pick(v.gen, "500m", "600m", "900m", "1", "1300m")
	if v.crowd {
		cpu = pick(v.gen, "1", "2300m", "4", "6", "8500m")
	}
	if v.lone {
		cpu = "2"
	}
	c := m{"name": "c", "image": "i", "resources": m{"requests": m{"cpu": cpu}}}
	if v.ports {
		c["ports"] = []any{v.port()}
	}
	spec := m{"containers": []any{c}, "priority": 1000}
	if v.p(4) {
		spec["preemptionPolicy"] = "Never"
	}
	if v.p(20) {
		c := m{"maxSkew": 1 + v.Intn(2), "topologyKey": pick(v.gen, zoneKey, hostKey), "whenUnsatisfiable": "DoNotSchedule", "labelSelector": m{"matchLabels": labels}}
		if v.p(20) {
			c["minDomains"] = 1 + v.Intn(4)
		}
		if v.p(20) {
			c["labelSelector"] = v.which()
		}
		spec["topologySpreadConstraints"] = []any{c}
	}
	if v.p(20) {
		kind := pick(v.gen, "podAntiAffinity", "podAntiAffinity", "podAffinity")
		spec["affinity"] = m{kind: v.near()}
	}
	st := m{"phase": "Pending"}
	if v.p(12) {
		st["nominatedNodeName"] = pick(v.gen, append(v.nodes, "gone")...)
	}
	v.add(m{"apiVersion": "v1", "kind": "Pod", "metadata": m{"name": "incoming", "namespace": "default", "labels": labels}, "spec": spec, "status": st})
}

func (v *victims) config() json.RawMessage {
	prof := m{"schedulerName": "default-scheduler"}
	switch v.Intn(4) {
	case 0:
		prof["pluginConfig"] = []any{m{"name": "DefaultPreemption", "args": m{"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "DefaultPreemptionArgs", "minCandidateNodesPercentage": v.Intn(101), "minCandidateNodesAbsolute": 1 + v.Intn(4)}}}
	case 1:
		prof["plugins"] = m{"postFilter": m{"disabled": []any{m{"name": "DynamicResources"}}}}
	case 2:
		prof["plugins"] = m{"preFilter": m{"disabled": []any{m{"name": "DynamicResources"}}}, "filter": m{"disabled": []any{m{"name": "DynamicResources"}}}}
	default:
		prof["plugins"] = m{"multiPoint": m{"disabled": []any{m{"name": pick(v.gen, "NodeResourcesFit", "PodTopologySpread", "InterPodAffinity")}}}}
	}
	out, err := json.Marshal(m{"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration", "profiles": []any{prof}})
	if err != nil {
		panic(err)
	}
	return out
}
