package report

import (
	"io"
	"net/url"
	"slices"

	"github.com/resilint/resilint/internal/finding"
)

// What SARIF 2.1.0 has and we tell. Lists that its readers index are never null.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool        sarifTool         `json:"tool"`
		Invocations []sarifInvocation `json:"invocations"`
		ColumnKind  string            `json:"columnKind"`
		Results     []sarifResult     `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		InformationURI string      `json:"informationUri"`
		Version        string      `json:"version,omitempty"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID               string              `json:"id"`
		Name             string              `json:"name"`
		ShortDescription sarifText           `json:"shortDescription"`
		FullDescription  sarifText           `json:"fullDescription"`
		HelpURI          string              `json:"helpUri"`
		Help             sarifText           `json:"help"`
		Configuration    sarifConfiguration  `json:"defaultConfiguration"`
		Properties       sarifRuleProperties `json:"properties"`
	}
	sarifConfiguration struct {
		Level string `json:"level"`
	}
	sarifRuleProperties struct {
		Tags             []string `json:"tags"`
		Precision        string   `json:"precision"`
		ProblemSeverity  string   `json:"problem.severity"`
		SecuritySeverity string   `json:"security-severity"`
	}
	sarifInvocation struct {
		Successful    bool                `json:"executionSuccessful"`
		Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
	}
	sarifNotification struct {
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations,omitempty"`
	}
	sarifResult struct {
		RuleID       string              `json:"ruleId"`
		RuleIndex    int                 `json:"ruleIndex"`
		Level        string              `json:"level"`
		Message      sarifText           `json:"message"`
		Locations    []sarifLocation     `json:"locations"`
		Related      []sarifLocation     `json:"relatedLocations,omitempty"`
		CodeFlows    []sarifCodeFlow     `json:"codeFlows,omitempty"`
		Fingerprints map[string]string   `json:"partialFingerprints"`
		Suppressions []sarifSuppression  `json:"suppressions"`
		Fixes        []sarifFix          `json:"fixes,omitempty"`
		Properties   sarifSiteProperties `json:"properties"`
	}
	sarifSiteProperties struct {
		Site string `json:"site"`
	}
	sarifText struct {
		Text     string `json:"text"`
		Markdown string `json:"markdown,omitempty"`
	}
	sarifLocation struct {
		ID       int            `json:"id,omitempty"`
		Physical sarifPhysical  `json:"physicalLocation"`
		Logical  []sarifLogical `json:"logicalLocations,omitempty"`
		Message  *sarifText     `json:"message,omitempty"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn,omitempty"`
		EndLine     int `json:"endLine,omitempty"`
		EndColumn   int `json:"endColumn,omitempty"`
	}
	sarifLogical struct {
		Name string `json:"fullyQualifiedName"`
		Kind string `json:"kind"`
	}
	sarifCodeFlow struct {
		ThreadFlows []sarifThreadFlow `json:"threadFlows"`
	}
	sarifThreadFlow struct {
		Locations []sarifFlowLocation `json:"locations"`
	}
	sarifFlowLocation struct {
		Location sarifLocation `json:"location"`
	}
	sarifSuppression struct {
		Kind          string `json:"kind"`
		Justification string `json:"justification,omitempty"`
	}
	sarifFix struct {
		Description sarifText     `json:"description"`
		Changes     []sarifChange `json:"artifactChanges"`
	}
	sarifChange struct {
		Artifact     sarifArtifact      `json:"artifactLocation"`
		Replacements []sarifReplacement `json:"replacements"`
	}
	sarifReplacement struct {
		Deleted  sarifRegion   `json:"deletedRegion"`
		Inserted *sarifContent `json:"insertedContent,omitempty"`
	}
	sarifContent struct {
		Text string `json:"text"`
	}
)

// writeSARIF is for services that keep findings between runs. Of its readers,
// GitHub's code scanning shows ruleId's help beside a finding, sorts by
// security-severity, walks codeFlows step by step, and closes an alert when its
// result is gone; it resolves uri from the root of the repository, and shows
// suppressions as dismissed. Editors offer fixes. Whoever does not know
// suppressions takes silenced results for open ones, so those that are not
// silenced say so by an empty list.
func writeSARIF(w io.Writer, r *Report) error {
	run := sarifRun{
		Tool: sarifTool{sarifDriver{
			Name: "resilint", InformationURI: "https://github.com/resilint/resilint", Version: r.ToolVersion, Rules: []sarifRule{},
		}},
		Invocations: []sarifInvocation{{Successful: !r.Partial(), Notifications: r.sarifNotifications()}},
		ColumnKind:  "utf16CodeUnits",
		Results:     []sarifResult{},
	}
	index := map[string]int{}
	for i, rule := range r.Rules {
		index[rule.ID] = i
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{
			ID: rule.ID, Name: rule.Alias, ShortDescription: sarifText{Text: rule.Title}, FullDescription: sarifText{Text: rule.Summary},
			HelpURI: rule.URL, Help: sarifText{rule.Text, rule.Markdown}, Configuration: sarifConfiguration{rule.Severity.String()},
			Properties: sarifRuleProperties{
				Tags: []string{"reliability", "security"}, Precision: "very-high",
				ProblemSeverity: problemSeverity(rule.Severity), SecuritySeverity: securitySeverity(rule.Severity),
			},
		})
	}
	sites := map[string]*finding.Site{}
	for i := range r.Sites {
		sites[r.Sites[i].ID] = &r.Sites[i]
	}
	prints := r.Fingerprints()
	columns := columnsOf{sourceFiles{}}
	for i, f := range r.Findings {
		at, ok := index[f.Rule]
		if !ok {
			at = -1 // its readers go by ruleId then
		}
		res := sarifResult{
			RuleID: f.Rule, RuleIndex: at, Level: f.Severity.String(), Message: sarifText{Text: sentences(f)},
			Locations:    []sarifLocation{r.sarifLocation(columns, f.Pos, f.End, "")},
			Fingerprints: map[string]string{"resilint/v1": prints[i]},
			Suppressions: suppressions(f), Properties: sarifSiteProperties{f.Site},
			CodeFlows: r.codeFlows(columns, f, sites[f.Site]), Fixes: r.sarifFixes(columns, f),
		}
		if f.Function != "" {
			res.Locations[0].Logical = []sarifLogical{{f.Function, "function"}}
		}
		for n, rel := range f.Related {
			loc := r.sarifLocation(columns, rel.Pos, finding.Position{}, rel.Message)
			loc.ID = n + 1
			res.Related = append(res.Related, loc)
		}
		run.Results = append(run.Results, res)
	}
	return encode(w, sarifLog{
		Schema:  "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
		Version: "2.1.0", Runs: []sarifRun{run},
	})
}

// sentences are a finding's message and its way out.
func sentences(f finding.Finding) string {
	if f.Hint == "" {
		return f.Message
	}
	return f.Message + "\n" + f.Hint
}

// problemSeverity is a severity in the words of code scanning.
func problemSeverity(s finding.Severity) string {
	if s == finding.Note {
		return "recommendation"
	}
	return s.String()
}

// securitySeverity is a severity as code scanning sorts it: from 7.0 on it is
// high, from 4.0 on medium.
func securitySeverity(s finding.Severity) string {
	return [...]string{finding.Note: "2.0", finding.Warning: "5.0", finding.Error: "8.0"}[s]
}

func suppressions(f finding.Finding) []sarifSuppression {
	switch f.Status {
	case finding.Suppressed:
		return []sarifSuppression{{"inSource", f.Reason}}
	case finding.Baselined:
		return []sarifSuppression{{"external", f.Reason}}
	}
	return []sarifSuppression{}
}

// codeFlows lead from the retry to each request that it sends again, over what
// the finding says of the way.
func (r *Report) codeFlows(columns columnsOf, f finding.Finding, site *finding.Site) []sarifCodeFlow {
	if site == nil {
		return nil
	}
	var out []sarifCodeFlow
	for _, op := range site.Operation {
		if op.Send.File == "" {
			continue
		}
		steps := []finding.Related{{Pos: f.Pos, Message: "retried here"}}
		pass := func(pos finding.Position, message string) {
			if !slices.ContainsFunc(steps, func(s finding.Related) bool { return s.Pos == pos }) {
				steps = append(steps, finding.Related{Pos: pos, Message: message})
			}
		}
		for _, rel := range f.Related {
			if rel.Pos != op.Send {
				pass(rel.Pos, rel.Message)
			}
		}
		what := "sent here"
		if op.Method != "" {
			what = joined(op.Method, op.Path) + " is sent here"
		}
		pass(op.Send, what)
		if len(steps) == 1 {
			continue // the call that retries is the one that sends
		}
		var flow sarifThreadFlow
		for _, s := range steps {
			flow.Locations = append(flow.Locations, sarifFlowLocation{r.sarifLocation(columns, s.Pos, finding.Position{}, s.Message)})
		}
		out = append(out, sarifCodeFlow{[]sarifThreadFlow{flow}})
	}
	return out
}

func joined(method, path string) string {
	if path == "" {
		return method
	}
	return method + " " + path
}

func (r *Report) sarifFixes(columns columnsOf, f finding.Finding) []sarifFix {
	var out []sarifFix
	for _, fix := range f.Fixes {
		var changes []sarifChange
		for _, e := range fix.Edits {
			artifact := sarifArtifact{r.uri(e.Pos.File)}
			i := slices.IndexFunc(changes, func(c sarifChange) bool { return c.Artifact == artifact })
			if i < 0 {
				i = len(changes)
				changes = append(changes, sarifChange{Artifact: artifact})
			}
			rep := sarifReplacement{Deleted: *region(columns, e.Pos, e.End)}
			if e.New != "" {
				rep.Inserted = &sarifContent{e.New}
			}
			changes[i].Replacements = append(changes[i].Replacements, rep)
		}
		out = append(out, sarifFix{sarifText{Text: fix.Message}, changes})
	}
	return out
}

// sarifNotifications say what was not analysed.
func (r *Report) sarifNotifications() []sarifNotification {
	var out []sarifNotification
	for _, n := range r.NotLoaded {
		if n.Because != "" {
			out = append(out, sarifNotification{Level: "error", Message: sarifText{Text: n.Package + " is not analysed because of " + n.Because}})
			continue
		}
		note := sarifNotification{Level: "error", Message: sarifText{Text: n.Package + " does not load"}}
		for _, e := range n.Errors {
			note.Message.Text += "\n" + e.String()
		}
		out = append(out, note)
	}
	for _, e := range r.InternalErrors {
		out = append(out, sarifNotification{Level: "error", Message: sarifText{Text: "internal error: " + e}})
	}
	return out
}

func (r *Report) sarifLocation(columns columnsOf, pos, end finding.Position, message string) sarifLocation {
	loc := sarifLocation{Physical: sarifPhysical{Artifact: sarifArtifact{r.uri(pos.File)}, Region: region(columns, pos, end)}}
	if message != "" {
		loc.Message = &sarifText{Text: message}
	}
	return loc
}

// uri is the file's name from the root of the repository, in the form of a URI.
func (r *Report) uri(file string) string {
	u := url.URL{Path: r.inRepo(file)}
	return u.String()
}

// region is nil when not even a line is known.
func region(columns columnsOf, pos, end finding.Position) *sarifRegion {
	if pos.Line < 1 {
		return nil
	}
	out := &sarifRegion{StartLine: pos.Line, StartColumn: columns.utf16(pos)}
	if end.Line > pos.Line || end.Line == pos.Line && end.Column >= pos.Column {
		out.EndLine, out.EndColumn = end.Line, columns.utf16(end)
	}
	return out
}
