package cluster

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	v1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/defaultpreemption"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/names"
)

// Bench schedules the named pods one after another as the scheduler does — snapshot, filter in parallel with
// sampling, score, assume — and reports the time, without API calls.
func (c *Cluster) Bench(pods []*v1.Pod, percentage int32) (bound int, took time.Duration, err error) {
	ctx, fw := c.ctx, c.Fw
	next := 0
	start := time.Now()
	for _, pod := range pods {
		if err := c.Cache.UpdateSnapshot(c.logger, c.Snapshot); err != nil {
			return bound, 0, err
		}
		all, err := c.Snapshot.NodeInfos().List()
		if err != nil {
			return bound, 0, err
		}
		state := framework.NewCycleState()
		pre, st, _ := fw.RunPreFilterPlugins(ctx, state, pod)
		if !st.IsSuccess() {
			continue
		}
		nodes := all
		if !pre.AllNodes() {
			nodes = slices.DeleteFunc(slices.Clone(all), func(n fwk.NodeInfo) bool { return !pre.NodeNames.Has(n.Node().Name) })
		}
		want := toFind(percentage, int32(len(nodes)))
		feasible := make([]fwk.NodeInfo, want)
		var found, seen int32
		cctx, cancel := context.WithCancel(ctx)
		fw.Parallelizer().Until(cctx, len(nodes), func(i int) {
			n := nodes[(next+i)%len(nodes)]
			atomic.AddInt32(&seen, 1)
			if fw.RunFilterPluginsWithNominatedPods(cctx, state, pod, n).IsSuccess() {
				k := atomic.AddInt32(&found, 1)
				if k > want {
					cancel()
					atomic.AddInt32(&found, -1)
				} else {
					feasible[k-1] = n
				}
			}
		}, "bench")
		cancel()
		feasible = feasible[:found]
		next = (next + int(seen)) % len(all)
		var host string
		switch len(feasible) {
		case 0:
			continue
		case 1:
			host = feasible[0].Node().Name
		default:
			if st := fw.RunPreScorePlugins(ctx, state, pod, feasible); !st.IsSuccess() {
				return bound, 0, st.AsError()
			}
			scores, st := fw.RunScorePlugins(ctx, state, pod, feasible)
			if !st.IsSuccess() {
				return bound, 0, st.AsError()
			}
			best := int64(-1)
			for _, s := range scores {
				if s.TotalScore > best {
					best, host = s.TotalScore, s.Name
				}
			}
		}
		b := pod.DeepCopy()
		b.Spec.NodeName = host
		if err := c.Cache.AssumePod(c.logger, b); err != nil {
			return bound, 0, err
		}
		bound++
	}
	return bound, time.Since(start), nil
}

// toFind is the scheduler's adaptive sampling; 0 means adaptive.
func toFind(percentage, n int32) int32 {
	if n < 100 {
		return n
	}
	if percentage == 0 {
		percentage = max(50-n/125, 5)
	}
	return max(n*percentage/100, 100)
}

// Preempted is what the dry runs of a benchmark found.
type Preempted struct {
	Candidates int   `json:"candidates"`
	Victims    int   `json:"victims"`
	Violations int64 `json:"violations"`
}

// BenchPreempt dry-runs preemption for the named pods, which fit nowhere, on every node, in parallel as the scheduler
// does, and chooses among the candidates. The time is that from the nodes' statuses to the choice. The cluster stays.
func (c *Cluster) BenchPreempt(pods []*v1.Pod) (found Preempted, took time.Duration, err error) {
	dp, ok := c.Plugins[names.DefaultPreemption].(*defaultpreemption.DefaultPreemption)
	if !ok {
		return found, 0, fmt.Errorf("the profile has no %s", names.DefaultPreemption)
	}
	all, err := c.Snapshot.NodeInfos().List()
	if err != nil {
		return found, 0, err
	}
	for _, pod := range pods {
		state := framework.NewCycleState()
		if _, st, _ := c.Fw.RunPreFilterPlugins(c.ctx, state, pod); !st.IsSuccess() {
			return found, 0, st.AsError()
		}
		statuses := framework.NewDefaultNodeToStatus()
		for _, n := range all {
			st := c.Fw.RunFilterPluginsWithNominatedPods(c.ctx, state, pod, n)
			if st.IsSuccess() {
				return found, 0, fmt.Errorf("%s fits %s", podKey(pod), n.Node().Name)
			}
			statuses.Set(n.Node().Name, st)
		}
		start := time.Now()
		cands, _, err := c.dryRun(dp, pod, state, statuses)
		if err != nil {
			return found, 0, err
		}
		dp.Evaluator.SelectCandidate(c.ctx, cands)
		took += time.Since(start)
		found.Candidates += len(cands)
		for _, cd := range cands {
			found.Victims += len(cd.Victims().Pods)
			found.Violations += cd.Victims().NumPDBViolations
		}
	}
	return found, took, nil
}
