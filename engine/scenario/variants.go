package scenario

import (
	"strings"

	"squall/engine/document"
	"squall/engine/problem"
)

// Variant is a scenario with one named patch applied (scenario.md 8).
type Variant struct {
	Name     string
	Scenario *Scenario
}

// Variants are the patched scenarios in written order. The base and each variant are meant to run
// on the same seeds.
func (s *Scenario) Variants() []Variant { return s.variants }

// patch is one entry of variants.
type patch struct {
	name string
	at   document.Value
}

func readPatches(_ *reader, v document.Value, d *draft) {
	for name, value := range v.Map() {
		if len(d.patches) == VariantsMax {
			tooMany(v, "variants", VariantsMax)
			return
		}
		checkName(value, name)
		if value.Kind() != document.Object {
			value.Problem("must be a patch, an object with the keys to change, not " + value.Kind().String())
			continue
		}
		checkRepeats(value)
		good := true
		for _, key := range []string{"variants", "seed", "seeds"} {
			if part := value.Member(key); part.Exists() {
				good = false
				part.KeyProblem("cannot be changed by a variant: the base and its variants run on the same seeds")
			}
		}
		if good {
			d.patches = append(d.patches, patch{name, value})
		}
	}
}

// checkRepeats reports keys that stand twice anywhere in a patch: merging would hide them.
func checkRepeats(v document.Value) {
	if v.Kind() == document.Object {
		for _, member := range v.Map() {
			checkRepeats(member)
		}
	}
	for item := range v.Items() {
		checkRepeats(item)
	}
}

// readVariants reads every patched document. What is wrong with one, and not with the base, is
// reported at the patch.
func (r *reader) readVariants(root document.Value, d *draft) {
	if len(d.patches) == 0 {
		return
	}
	base := map[string]bool{}
	for _, p := range r.doc.Problems() {
		base[p.Path+"\n"+p.Message] = true
	}
	options := r.options
	options.Limits.Bytes = 2 << 20 // a base and a patch may both be as long as a document
	for _, p := range d.patches {
		text := mergeMembers(nil, root, p.at, "variants")
		s, problems := read(text, options)
		for _, wrong := range problems {
			if base[wrong.Path+"\n"+wrong.Message] {
				continue
			}
			reportAt(p.at, wrong)
		}
		if s != nil {
			d.variants = append(d.variants, Variant{p.name, s})
		}
	}
}

// reportAt puts a problem of a patched document where the patch comes nearest to it.
func reportAt(at document.Value, wrong document.Problem) {
	if at.Find(wrong.Path).Path() == at.Path() {
		at.KeyProblem("makes the scenario wrong: " + strings.TrimPrefix(wrong.Path+": ", ": ") + wrong.Message)
		return
	}
	at.Report(problem.List{{Path: wrong.Path, Message: wrong.Message}})
}

// Merge is the JSON merge patch of RFC 7386 on two valid documents, in canonical form: keys of the
// target keep their place, new ones come behind them in the order of the patch.
func Merge(target, patch document.Value) []byte { return merge(nil, target, patch) }

func merge(b []byte, target, patch document.Value) []byte {
	if patch.Kind() != document.Object {
		return patch.AppendCanonical(b)
	}
	return mergeMembers(b, target, patch, "")
}

// mergeMembers merges two objects and leaves out one key.
func mergeMembers(b []byte, target, patch document.Value, without string) []byte {
	b = append(b, '{')
	changes := map[string]document.Value{}
	for key, value := range patch.Members() {
		changes[key] = value
	}
	member := func(key string) {
		if b[len(b)-1] != '{' {
			b = append(b, ',')
		}
		b = append(document.AppendText(b, key), ':')
	}
	done := map[string]bool{without: without != ""}
	for key, value := range target.Members() {
		change, changed := changes[key]
		if done[key] || changed && change.Kind() == document.Null {
			continue
		}
		done[key] = true
		member(key)
		if changed {
			b = merge(b, value, change)
		} else {
			b = value.AppendCanonical(b)
		}
	}
	for key := range patch.Members() {
		if change := changes[key]; !done[key] && change.Kind() != document.Null {
			done[key] = true
			member(key)
			b = merge(b, document.Value{}, change)
		}
	}
	return append(b, '}')
}
