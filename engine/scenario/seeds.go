package scenario

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"squall/engine/document"
	"squall/engine/problem"
)

// ErrSeeds is what every error of ParseSeeds wraps.
var ErrSeeds = errors.New("no list of seeds")

// ParseSeeds reads the seeds of a band as a person writes them on a command line: a range "1-20",
// both ends included and not negative, or numbers with commas, "1,2,-5". There are at least one and
// at most SeedsMax of them, and none comes twice.
func ParseSeeds(text string) ([]int32, error) {
	text = strings.TrimSpace(text)
	if isRange(text) {
		return parseRange(text)
	}
	if text == "" {
		return nil, problem.Errorf("%w: there must be at least one seed", ErrSeeds)
	}
	var seeds []int32
	seen := map[int32]bool{}
	for field := range strings.SplitSeq(text, ",") {
		n, err := strconv.ParseInt(strings.TrimSpace(field), 10, 32)
		if err != nil {
			return nil, problem.Errorf("%w: %q is no whole number from %d to %d, and no range such as 1-20", ErrSeeds, field, math.MinInt32, math.MaxInt32)
		}
		seed := int32(n)
		if seen[seed] {
			return nil, problem.Errorf("%w: %d is there twice; a band does not run the same seed twice", ErrSeeds, seed)
		}
		seen[seed] = true
		if seeds = append(seeds, seed); len(seeds) > SeedsMax {
			return nil, problem.Errorf("%w: a band has at most %d", ErrSeeds, SeedsMax)
		}
	}
	return seeds, nil
}

// isRange tells "A-B" from a list whose first number is negative.
func isRange(text string) bool { return strings.Index(text, "-") > 0 && !strings.Contains(text, ",") }

func parseRange(text string) ([]int32, error) {
	low, high, _ := strings.Cut(text, "-")
	first, err1 := strconv.ParseUint(strings.TrimSpace(low), 10, 31)
	last, err2 := strconv.ParseUint(strings.TrimSpace(high), 10, 31)
	switch {
	case err1 != nil || err2 != nil:
		return nil, problem.Errorf("%w: %q is no range such as 1-20; both ends are whole numbers from 0 to %d", ErrSeeds, text, math.MaxInt32)
	case last < first:
		return nil, problem.Errorf("%w: %q runs backwards; there must be at least one seed", ErrSeeds, text)
	case last-first >= SeedsMax:
		return nil, problem.Errorf("%w: %q has %d seeds; a band has at most %d", ErrSeeds, text, last-first+1, SeedsMax)
	}
	seeds := make([]int32, 0, last-first+1)
	for n := first; n <= last; n++ {
		seeds = append(seeds, int32(n))
	}
	return seeds, nil
}

func readSeed(_ *reader, v document.Value, d *draft) {
	if n, ok := v.Int(math.MinInt32, math.MaxInt32); ok {
		d.Seed = int32(n)
	}
}

// readSeedList reads the seeds of a document: a list, or a range as text.
func readSeedList(_ *reader, v document.Value, d *draft) {
	if v.Kind() == document.Text {
		text, _ := v.Text()
		var err error
		if !isRange(text) {
			v.Problem("is " + v.Raw() + `; a range of seeds is written "1-20", anything else as a list`)
		} else if d.Seeds, err = parseRange(text); err != nil {
			v.Problem(strings.TrimPrefix(err.Error(), ErrSeeds.Error()+": "))
		}
		return
	}
	if v.Kind() != document.List {
		v.Problem(`must be a list of whole numbers or a range "1-20", not ` + v.Kind().String())
		return
	}
	seen := map[int32]bool{}
	n := 0
	for item := range v.Items() {
		if n++; n > SeedsMax {
			tooMany(v, "seeds", SeedsMax)
			return
		}
		x, ok := item.Int(math.MinInt32, math.MaxInt32)
		if !ok {
			continue
		}
		if seed := int32(x); seen[seed] {
			item.Problem("is " + item.Raw() + " again; a band does not run the same seed twice")
		} else {
			seen[seed] = true
			d.Seeds = append(d.Seeds, seed)
		}
	}
	if n == 0 {
		v.Problem("is empty; a band runs at least one seed")
	}
}
