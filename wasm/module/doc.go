// Package module is the engine behind one question-and-answer call: JSON text in, JSON text out.
// Pages, Web Workers and Node all speak to it in the same words; it knows nothing of JavaScript
// and is tested natively.
//
// A request is an object with an "id", which the reply repeats, and an "op":
//
//	about    {}                                         the versions of the protocol and of the engine
//	check    {"text"}                                   is it a scenario? what does it hold?
//	run      {"text", "seed"?, "variant"?, "record"?, "full"?}
//	                                                    one run: its report, its text block, its world; with "record"
//	                                                    the timeline is kept for later requests, with "full" it is sent
//	scalars  {"text", "seed"?, "variant"?}              one run: the report without its series
//	band     {"text", "seeds"?, "variant"?}             one run a seed, put together
//	explain  {"text", "call"?, "after"?, "seed"?}       the worst case of the policy of a call; with "after" as it is
//	                                                    after a run, with what that has measured
//	explain  {"policy"}                                 the same for a policy alone, the value of the key "policy"
//	grade    {"text"} or {"files": [{"name", "text"}]}  calls in, letter out
//	record   {"text", "seed"?, "variant"?}              one run whose timeline is kept, and how many events it has
//	moments  {"call", ...}                              a page of the timeline that was recorded last
//	trace    {"call", "number"}                         one call of that recording, nested calls included
//
// A reply is one of
//
//	{"id", "ok": true, ...}
//	{"id", "ok": false, "problems": [{"path", "line", "column", "offset", "length", "message"}]}
//	{"id", "ok": false, "error": "...", "defect"?: true}
//
// and while a long request is answered, {"id", "progress": 0.25} is told now and then. Whoever
// wants to stop a request ends the worker that answers it.
package module
