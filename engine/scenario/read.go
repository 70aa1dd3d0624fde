package scenario

import (
	"strconv"
	"strings"
	"unicode"

	"squall/engine"
	"squall/engine/document"
	"squall/engine/policy"
	"squall/engine/problem"
	"squall/engine/world"
)

// Scenario is one document, read and checked.
type Scenario struct {
	Title string
	// About is Markdown of unknown origin.
	About string
	// Topology is what the engine runs. It is only read, so it may be run many times at once.
	Topology engine.Topology
	// Seed is the one seed to run; it does not count when Seeds are given.
	Seed int32
	// Seeds are those of a band, empty for a single run.
	Seeds []int32
	// Expect is what must hold, in written order.
	Expect []Expectation
	// Grading is the checked value of "grading", missing when it was not written (grading.md 2).
	Grading document.Value
	// Canonical is the document without comments and insignificant space (scenario.md 1).
	Canonical []byte

	variants []Variant
}

// Options change the limits of a document.
type Options struct {
	// MaxCalls is how many calls the loads of a run may offer; 0 is CallsMax.
	MaxCalls int
	// Limits are those of the text.
	Limits document.Limits
}

// Read reads a scenario. It is nil when there are problems, and then the problems are all there
// are, in the order of the text; after a syntax error there is only that.
func Read(text []byte, o Options) (*Scenario, []document.Problem) {
	s, problems := read(text, o)
	if len(problems) > 0 {
		return nil, problems
	}
	return s, nil
}

// reader is one reading of one document.
type reader struct {
	doc      *document.Document
	options  Options
	budgets  names[*policy.BudgetSettings]
	policies names[policySource]
	calls    int // how many were declared so far
	said     map[string]bool
}

// names are declarations in written order.
type names[T any] struct {
	names  []string
	values []T
	at     []document.Value
	index  map[string]int
}

func (n *names[T]) add(name string, value T, at document.Value) {
	if n.index == nil {
		n.index = map[string]int{}
	}
	n.index[name] = len(n.names)
	n.names, n.values, n.at = append(n.names, name), append(n.values, value), append(n.at, at)
}

// find is the declaration of a name, or nil.
func (n *names[T]) find(name string) *T {
	if i, ok := n.index[name]; ok {
		return &n.values[i]
	}
	return nil
}

func read(text []byte, o Options) (*Scenario, []document.Problem) {
	if o.MaxCalls <= 0 {
		o.MaxCalls = CallsMax
	}
	doc, problems := document.Parse(text, o.Limits)
	if len(problems) > 0 {
		return nil, problems
	}
	r := &reader{doc: doc, options: o}
	d := &draft{Scenario: Scenario{Seed: 1}}
	root := doc.Root()
	members := scenarioTable.read(r, root, d)
	if !members.Exists() {
		return nil, doc.Problems()
	}
	r.build(members, d)
	r.finishReading()
	for i := range r.policies.values {
		// policies that nobody calls under are checked too
		r.check(r.policies.at[i], r.policies.values[i].settings.Validate())
	}
	r.checkTopology(root, d)
	r.checkLimits(root, d)
	r.resolveExpect(d)
	r.readVariants(root, d)
	d.Canonical = doc.Canonical()
	return &d.Scenario, doc.Problems()
}

// finishReading remembers what reading complained about, before values are checked.
func (r *reader) finishReading() {
	r.said = map[string]bool{}
	for _, p := range r.doc.Problems() {
		r.said[p.Path] = true
	}
}

// check reports what a validation found at a value, except where reading complained about it or
// what holds it: what follows from a value that could not be read is not worth a second problem.
// What several calls share is reported once.
func (r *reader) check(at document.Value, found problem.List) {
	if len(found) == 0 {
		return
	}
	base := at.Path()
	for _, p := range found {
		path := problem.Join(base, p.Path)
		if key := path + "\n" + p.Message; !r.complained(path) && !r.said[key] {
			r.said[key] = true
			at.Report(problem.List{p})
		}
	}
}

// complained tells whether reading had a problem with a path or with what holds it.
func (r *reader) complained(path string) bool {
	for path != "" {
		if r.said[path] {
			return true
		}
		path = path[:max(strings.LastIndexAny(path, ".["), 0)]
	}
	return false
}

// readBudgets reads the buckets that several policies share.
func (r *reader) readBudgets(v document.Value) {
	for name, value := range v.Map() {
		if len(r.budgets.names) == DeclaredMax {
			tooMany(v, "budgets", DeclaredMax)
			return
		}
		b := policy.AutomaticBucket()
		b.Name = name
		budgetTable.read(r, value, &b)
		value.Report(b.Validate())
		checkName(value, name)
		r.budgets.add(name, &b, value)
	}
}

// readPolicies reads the policies that calls name. The key is the name of a policy that has none
// of its own and none of its preset (scenario.md 3).
func (r *reader) readPolicies(v document.Value) {
	for name, value := range v.Map() {
		if len(r.policies.names) == DeclaredMax {
			tooMany(v, "policies", DeclaredMax)
			return
		}
		s, named := r.readPolicy(value)
		if !named && s.Name == "" {
			s.Name = name
		}
		checkName(value, name)
		r.policies.add(name, policySource{settings: s, at: value, written: true}, value)
	}
}

// readPolicy reads one policy; named tells that it says its name, which may be none.
func (r *reader) readPolicy(v document.Value) (s policy.Settings, named bool) {
	s = policy.Default()
	if v.Kind() == document.Null {
		return s, false
	}
	members := policyTable.read(r, v, &s)
	return s, members.Get("name").Exists()
}

// policyOf is the policy of a call: one of policies by its name, or written in place.
func (r *reader) policyOf(v document.Value) policySource {
	if v.Kind() == document.Text {
		name, _ := v.Text()
		if p := r.policies.find(name); p != nil {
			return *p
		}
		v.Problem(unknownName(name, "a policy of policies", r.policies.names))
		return policySource{settings: policy.Default(), at: v, written: true}
	}
	s, _ := r.readPolicy(v)
	return policySource{settings: s, at: v, written: true}
}

func (r *reader) readServices(v document.Value, d *draft) {
	for name, value := range v.Map() {
		if len(d.services.names) == DeclaredMax {
			tooMany(v, "services", DeclaredMax)
			return
		}
		s := service{value: value}
		serviceTable.read(r, value, &s)
		checkName(value, name)
		d.services.add(name, s, value)
	}
}

func (r *reader) readDependencies(v document.Value, d *draft) {
	for name, value := range v.Map() {
		if len(d.dependencies.names) == DeclaredMax {
			tooMany(v, "dependencies", DeclaredMax)
			return
		}
		var leaf world.Dependency
		dependencyTable.read(r, value, &leaf)
		checkName(value, name)
		d.dependencies.add(name, leaf, value)
	}
}

// readLoads reads one load or a list of them.
func (r *reader) readLoads(v document.Value, d *draft) {
	one := func(v document.Value) {
		e := entry{Load: world.Load{Peers: 1}}
		loadTable.read(r, v, &e)
		d.loads = append(d.loads, e)
		d.loadValues = append(d.loadValues, v)
	}
	if v.Kind() != document.List {
		one(v)
		return
	}
	for item := range v.Items() {
		if len(d.loads) == LoadsMax {
			tooMany(v, "loads", LoadsMax)
			return
		}
		one(item)
	}
}

func checkName(v document.Value, name string) {
	switch {
	case name == "":
		v.KeyProblem("is an empty name; a name has at least one letter")
	case holdsControl(name):
		v.KeyProblem(controlInName)
	}
}

const controlInName = "holds a control character, such as a line break; names are printed as they are, in lines of their own"

// holdsControl tells a text that would break the lines it is printed in, or that speaks to the
// terminal: a scenario may come from a stranger.
func holdsControl(text string) bool { return strings.ContainsFunc(text, unicode.IsControl) }

func tooMany(v document.Value, what string, most int) {
	v.Problem("has more " + what + " than the " + strconv.Itoa(most) + " that one document may have")
}

// unknownName says that nobody declared a name, and which one may be meant.
func unknownName(name, what string, known []string) string {
	message := string(document.AppendText([]byte("is "), name)) + ", which is not the name of " + what
	if near := document.Nearest(name, known); near != "" {
		message += string(document.AppendText([]byte("; did you mean "), near)) + "?"
	}
	return message
}

func readVersion(_ *reader, v document.Value, _ *draft) {
	if v.Raw() != "1" {
		v.Problem("is " + v.Kind().String() + " other than 1: the document is written for a newer version; this one reads format 1")
	}
}
