package pdftest

import (
	"crypto/md5"
	"crypto/rc4"
	"encoding/binary"
	"fmt"
)

// padding completes passwords, by the format's standard security handler.
var padding = []byte("\x28\xbf\x4e\x5e\x4e\x75\x8a\x41\x64\x00\x4e\x56\xff\xfa\x01\x08\x2e\x2e\x00\xb6\xd0\x68\x3e\x80\x2f\x0c\xa9\xfe\x64\x53\x69\x7a")

const fileID = "0123456789abcdef"

// standardSecurity is the first revision, with keys of 40 bits: the dictionary
// and the document's key.
func standardSecurity(password string) (string, []byte) {
	padded := append([]byte(password), padding...)[:32]
	ownerKey := md5.Sum(padded)
	owner := crypt(ownerKey[:5], padded)
	const permissions = -4
	sum := md5.New()
	sum.Write(padded)
	sum.Write(owner)
	sum.Write(binary.LittleEndian.AppendUint32(nil, 0xfffffffc))
	sum.Write([]byte(fileID))
	key := sum.Sum(nil)[:5]
	return fmt.Sprintf("<< /Filter /Standard /V 1 /R 2 /O <%x> /U <%x> /P %d >>", owner, crypt(key, padding), permissions), key
}

func crypt(key, data []byte) []byte {
	c, err := rc4.NewCipher(key)
	if err != nil {
		panic(err)
	}
	out := make([]byte, len(data))
	c.XORKeyStream(out, data)
	return out
}

// encrypted encrypts the content of object n.
func (w *writer) encrypted(n int, data []byte) []byte {
	if w.key == nil {
		return data
	}
	sum := md5.Sum(append(append([]byte{}, w.key...), byte(n), byte(n>>8), byte(n>>16), 0, 0))
	return crypt(sum[:len(w.key)+5], data)
}
