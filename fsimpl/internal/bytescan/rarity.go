package bytescan

// byFrequency lists the bytes of source code and prose, the commonest first.
// It is a rough order: nothing but speed depends on it.
const byFrequency = " etaoinsrlcdupm_fhg\n\tbv,y.()-w=\"k;x/01E*TRSAI2NCOLDP'>:{}<MF3U[]4B#|&G6+58V97HzKjqXWY!\\%JQZ@`$?~^"

// Rarity rates a byte from 0, the commonest, to 255, as it occurs in source code
// and prose; with fold, a letter stands for both cases.
func Rarity(c byte, fold bool) int {
	r := rarityOf[c]
	if fold && c >= 'a' && c <= 'z' {
		return max(0, int(r)-8)
	}
	return int(r)
}

var rarityOf = func() (table [256]uint8) {
	for i := range table {
		table[i] = 230
	}
	for i := range len(byFrequency) {
		table[byFrequency[i]] = uint8(20 + 2*i)
	}
	return table
}()
