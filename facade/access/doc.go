// Package access holds the middlewares that stand between a model and the
// tools: who may do what, who has to be asked, how often, for how long, and
// what is written down about it. They work on the decoded input and the effect
// of a call, never on its raw arguments, so that a doubled or misspelled key
// cannot show one thing to a rule and another to the tool.
//
//	policy, err := access.NewPolicy(set, rules, &access.PolicyOptions{Approver: ask})
//	…
//	set = set.With(
//		access.NewAudit(slog.NewJSONHandler(file, nil), nil).Middleware,
//		access.NewRate(nil).Middleware,
//		policy.Middleware,
//		access.NewConcurrency(nil).Middleware,
//		access.Timeout(nil),
//	)
//
// That order records refusals too, counts calls before a person is bothered,
// and starts the clock once the person has agreed.
//
// Everything fails closed: an approver that errs, panics or takes too long has
// refused; an effect without a class counts as all of them; a rule that could
// never match is an error of [NewPolicy].
//
// # What it cannot see
//
// Paths are those the model wrote, made lexical: ".", "..", the current
// directory, escapes, and for refusals case and look-alike spellings.
// Symbolic links, hard links, the short names of Windows and the names that
// macOS composes are known to the implementation alone: link to secret/key, and a rule on "secret" does not
// hold for the link's own name. Where that matters, keep models from making
// links, leave what is secret outside of the root, or use the protected names
// of the implementation, which are checked after links are resolved.
//
// A program that a tool runs is a program: rules see the directory it starts
// in and take it that it may reach all of the root.
package access
