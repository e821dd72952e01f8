#include "textflag.h"

// func pairIndexAVX2(p, q *byte, places int, byte1, byte2, mask1, mask2 byte) int
//
// SI, DI  the two texts     AX  place      CX  places
// Y0, Y1  the bytes         Y2, Y3  the masks
TEXT ·pairIndexAVX2(SB), NOSPLIT, $0-40
	MOVQ p+0(FP), SI
	MOVQ q+8(FP), DI
	MOVQ places+16(FP), CX
	VPBROADCASTB byte1+24(FP), Y0
	VPBROADCASTB byte2+25(FP), Y1
	VPBROADCASTB mask1+26(FP), Y2
	VPBROADCASTB mask2+27(FP), Y3
	XORQ AX, AX
	MOVQ CX, R8
	SUBQ $64, R8  // the last place where 64 more fit
	MOVQ CX, R9
	SUBQ $32, R9  // the last place where 32 more fit

wide:
	CMPQ AX, R8
	JGT  narrow
	VPOR (SI)(AX*1), Y2, Y4
	VPOR (DI)(AX*1), Y3, Y5
	VPOR 32(SI)(AX*1), Y2, Y6
	VPOR 32(DI)(AX*1), Y3, Y7
	VPCMPEQB Y4, Y0, Y4
	VPCMPEQB Y5, Y1, Y5
	VPCMPEQB Y6, Y0, Y6
	VPCMPEQB Y7, Y1, Y7
	VPAND Y4, Y5, Y4
	VPAND Y6, Y7, Y6
	VPOR  Y4, Y6, Y8
	VPTEST Y8, Y8
	JNZ  hit
	ADDQ $64, AX
	JMP  wide

hit:
	VPMOVMSKB Y4, R10
	VPMOVMSKB Y6, R11
	SHLQ $32, R11
	ORQ  R11, R10
	BSFQ R10, R10
	ADDQ R10, AX
	JMP  done

narrow:
	CMPQ AX, CX
	JGE  none
	CMPQ AX, R9
	JLE  check
	MOVQ R9, AX   // look again at some places rather than beyond the last

check:
	VPOR (SI)(AX*1), Y2, Y4
	VPOR (DI)(AX*1), Y3, Y5
	VPCMPEQB Y4, Y0, Y4
	VPCMPEQB Y5, Y1, Y5
	VPAND Y4, Y5, Y4
	VPMOVMSKB Y4, R10
	TESTL R10, R10
	JNZ  low
	ADDQ $32, AX
	JMP  narrow

low:
	BSFL R10, R10
	ADDQ R10, AX

done:
	VZEROUPPER
	MOVQ AX, ret+32(FP)
	RET

none:
	VZEROUPPER
	MOVQ $-1, ret+32(FP)
	RET
