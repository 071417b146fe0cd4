package policyyaml

import "fmt"

// proposal names the known key nearest to a mistyped one, if one is near.
func proposal(known []field, key string) string {
	best, least := "", 3 // more than two typing errors are another word
	for _, f := range known {
		if d := distance(f.key, key); d < least {
			best, least = f.key, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(", did you mean %q?", best)
}

// distance counts the letters to insert, delete or replace.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replace := diagonal
			if a[i] != b[j] {
				replace++
			}
			diagonal = row[j+1]
			row[j+1] = min(replace, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
