package compose

import "time"

func isDate(s string) bool {
	_, err := time.Parse(time.RFC3339, s)
	return err == nil
}
