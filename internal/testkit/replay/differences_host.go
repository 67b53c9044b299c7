package replay

func hostDifferences() []group { return nil }

func pageDifferences() []group { return nil }
