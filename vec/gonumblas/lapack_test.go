package gonumblas_test

import (
	"os"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/vec/gonumblas"
	"gonum.org/v1/gonum/lapack/testlapack"
)

// TestLapack runs gonum's suite for LAPACK, whose routines call the BLAS in use, on top of ours. Its long part, some 40
// s of CPU time, waits for DUALGAP_LAPACK=1.
func TestLapack(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	use(t)
	tests := quick
	if os.Getenv("DUALGAP_LAPACK") != "" {
		tests = append(tests, long...)
	}
	for _, test := range tests {
		t.Run(test.name, test.run)
	}
}

type namedTest struct {
	name string
	run  func(t *testing.T)
}

// lapackTest gives one of the suite's tests the implementation in the type that it asks for.
func lapackTest[I any](f func(t *testing.T, impl I)) namedTest {
	name := runtime.FuncForPC(reflect.ValueOf(f).Pointer()).Name()
	return namedTest{name[strings.LastIndex(name, ".")+1:], func(t *testing.T) { f(t, any(gonumblas.Lapack{}).(I)) }}
}

var quick = []namedTest{
	lapackTest(testlapack.Dgebd2Test), lapackTest(testlapack.DgeconTest), lapackTest(testlapack.Dgehd2Test),
	lapackTest(testlapack.Dgelq2Test), lapackTest(testlapack.Dgeql2Test), lapackTest(testlapack.Dgerq2Test),
	lapackTest(testlapack.Dgesc2Test), lapackTest(testlapack.Dgeqr2Test), lapackTest(testlapack.DgesvTest),
	lapackTest(testlapack.Dgetc2Test), lapackTest(testlapack.DgetriTest), lapackTest(testlapack.Dgetf2Test),
	lapackTest(testlapack.DgghrdTest), lapackTest(testlapack.Dggsvd3Test), lapackTest(testlapack.Dggsvp3Test),
	lapackTest(testlapack.DgtsvTest), lapackTest(testlapack.DlabrdTest), lapackTest(testlapack.Dlacn2Test),
	lapackTest(testlapack.DlacpyTest), lapackTest(testlapack.Dlae2Test), lapackTest(testlapack.Dlaev2Test),
	lapackTest(testlapack.DlaexcTest), lapackTest(testlapack.Dlag2Test), lapackTest(testlapack.Dlags2Test),
	lapackTest(testlapack.DlagtmTest), lapackTest(testlapack.Dlahr2Test), lapackTest(testlapack.Dlaln2Test),
	lapackTest(testlapack.DlangbTest), lapackTest(testlapack.DlangeTest), lapackTest(testlapack.DlangtTest),
	lapackTest(testlapack.DlanhsTest), lapackTest(testlapack.Dlapy2Test), lapackTest(testlapack.DlapllTest),
	lapackTest(testlapack.DlapmrTest), lapackTest(testlapack.DlapmtTest), lapackTest(testlapack.Dlas2Test),
	lapackTest(testlapack.DlasclTest), lapackTest(testlapack.DlasetTest), lapackTest(testlapack.DlasrtTest),
	lapackTest(testlapack.DlassqTest), lapackTest(testlapack.DlaswpTest), lapackTest(testlapack.Dlasy2Test),
	lapackTest(testlapack.DlansbTest), lapackTest(testlapack.DlanstTest), lapackTest(testlapack.DlansyTest),
	lapackTest(testlapack.DlantbTest), lapackTest(testlapack.DlantrTest), lapackTest(testlapack.Dlanv2Test),
	lapackTest(testlapack.Dlaqp2Test), lapackTest(testlapack.DlaqpsTest), lapackTest(testlapack.Dlaqr1Test),
	lapackTest(testlapack.DlarfTest), lapackTest(testlapack.DlarfbTest), lapackTest(testlapack.DlarfgTest),
	lapackTest(testlapack.DlarftTest), lapackTest(testlapack.DlarfxTest), lapackTest(testlapack.DlartgTest),
	lapackTest(testlapack.Dlasq1Test), lapackTest(testlapack.Dlasq2Test), lapackTest(testlapack.DlasrTest),
	lapackTest(testlapack.Dlasv2Test), lapackTest(testlapack.DlatbsTest), lapackTest(testlapack.DlatrdTest),
	lapackTest(testlapack.DlatrsTest), lapackTest(testlapack.Dlauu2Test), lapackTest(testlapack.DlauumTest),
	lapackTest(testlapack.Dorg2rTest), lapackTest(testlapack.DorgbrTest), lapackTest(testlapack.DorghrTest),
	lapackTest(testlapack.Dorg2lTest), lapackTest(testlapack.Dorgl2Test), lapackTest(testlapack.DorglqTest),
	lapackTest(testlapack.DorgqrTest), lapackTest(testlapack.Dorgr2Test), lapackTest(testlapack.DorgtrTest),
	lapackTest(testlapack.Dorml2Test), lapackTest(testlapack.Dormr2Test), lapackTest(testlapack.Dorm2rTest),
	lapackTest(testlapack.DpbconTest), lapackTest(testlapack.Dpbtf2Test), lapackTest(testlapack.DpbtrfTest),
	lapackTest(testlapack.DpbtrsTest), lapackTest(testlapack.DpoconTest), lapackTest(testlapack.Dpotf2Test),
	lapackTest(testlapack.DpotriTest), lapackTest(testlapack.DpotrsTest), lapackTest(testlapack.Dpstf2Test),
	lapackTest(testlapack.DpstrfTest), lapackTest(testlapack.DpttrfTest), lapackTest(testlapack.DpttrsTest),
	lapackTest(testlapack.DptsvTest), lapackTest(testlapack.DptconTest), lapackTest(testlapack.DrsclTest),
	lapackTest(testlapack.DsteqrTest), lapackTest(testlapack.DsterfTest), lapackTest(testlapack.DsyevTest),
	lapackTest(testlapack.Dsytd2Test), lapackTest(testlapack.DtgsjaTest), lapackTest(testlapack.DtbtrsTest),
	lapackTest(testlapack.DtrconTest), lapackTest(testlapack.Dtrevc3Test), lapackTest(testlapack.Dtrti2Test),
	lapackTest(testlapack.DtrtriTest), lapackTest(testlapack.DtrtrsTest), lapackTest(testlapack.IladlcTest),
	lapackTest(testlapack.IladlrTest),
}

var long = []namedTest{
	lapackTest(testlapack.DbdsqrTest), lapackTest(testlapack.DhseqrTest), lapackTest(testlapack.DgebakTest),
	lapackTest(testlapack.DgebalTest), lapackTest(testlapack.DgebrdTest), lapackTest(testlapack.DgeevTest),
	lapackTest(testlapack.DgehrdTest), lapackTest(testlapack.DgelqfTest), lapackTest(testlapack.DgelsTest),
	lapackTest(testlapack.Dgeqp3Test), lapackTest(testlapack.DgeqrfTest), lapackTest(testlapack.DgerqfTest),
	lapackTest(testlapack.DgetrfTest), lapackTest(testlapack.DgetrsTest), lapackTest(testlapack.DlahqrTest),
	lapackTest(testlapack.Dlaqr04Test), lapackTest(testlapack.Dlaqr23Test), lapackTest(testlapack.Dlaqr5Test),
	lapackTest(testlapack.DorgqlTest), lapackTest(testlapack.DormbrTest), lapackTest(testlapack.DormhrTest),
	lapackTest(testlapack.DormlqTest), lapackTest(testlapack.DormqrTest), lapackTest(testlapack.DpotrfTest),
	lapackTest(testlapack.DsytrdTest), lapackTest(testlapack.DtrexcTest),
	lapackTest(func(t *testing.T, impl testlapack.Dgesvder) { testlapack.DgesvdTest(t, impl, 1e-13) }),
}
