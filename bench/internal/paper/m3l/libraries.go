package m3l

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"github.com/dualgap/dualgap/bench/internal/ending"
	"github.com/dualgap/dualgap/bench/internal/report"
	"github.com/dualgap/dualgap/vec"
)

// library is a program of LIBLINEAR or LIBSVM, which Table 1 runs once for each label.
type library struct {
	column, program string
	args            func(d *set) []string
}

// The programs have our problem: no bias, which LIBSVM cannot do without, and the hinge with twice our C. They train to
// their own default tolerance, LIBSVM with as many MB of kernel rows as ours.
var libraries = []library{
	{"LibLinear", "liblinear-train", func(*set) []string { return []string{"-s", "3", "-c", hingeC} }},
	{"LibSVM linear", "svm-train", func(*set) []string { return []string{"-t", "0", "-c", hingeC, "-m", cacheMB} }},
	{"LibSVM RBF", "svm-train", func(d *set) []string {
		return []string{"-t", "2", "-g", fmt.Sprint(d.gamma), "-c", hingeC, "-m", cacheMB}
	}},
}

var hingeC, cacheMB = fmt.Sprint(2 * timedC), fmt.Sprint(rowBudget >> 20)

// idle is a tolerance at which a program ends when it has read its file, or after one pass.
const idle = "1e9"

// absent names the programs that are not installed.
func absent() (names []string) {
	for _, name := range []string{libraries[0].program, libraries[1].program} {
		if _, err := exec.LookPath(name); err != nil {
			names = append(names, name)
		}
	}
	return names
}

// rivals returns the cells of the libraries and their seconds, empty cells and nil of p too large for them.
func (c *command) rivals(ctx context.Context, d *set, p part) (cells []report.Cell, seconds []float64, err error) {
	cells, seconds = make([]report.Cell, len(libraries)), make([]float64, len(libraries))
	if len(p.sets) > apartMost {
		return cells, nil, nil
	}
	dir, remove, err := ending.Folder("m3l")
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, remove()) }()
	files, err := writeLabels(dir, d, p)
	if err != nil {
		return nil, nil, err
	}
	for k, l := range libraries {
		if _, err := exec.LookPath(l.program); err != nil {
			cells[k] = report.Missing()
			continue
		}
		for i, file := range files {
			c.Bar.Show(float64(i)/float64(len(files)), fmt.Sprintf("%s, N = %d, %s", d.name, len(p.sets), l.column))
			took, err := l.run(ctx, d, file)
			if err != nil {
				return nil, nil, err
			}
			reading, err := l.run(ctx, d, file, "-e", idle)
			if err != nil {
				return nil, nil, err
			}
			seconds[k] += took - reading
		}
		seconds[k] = max(0, seconds[k])
		cells[k] = report.Number(seconds[k])
	}
	return cells, seconds, nil
}

// run trains on a file, and returns the CPU seconds of the program.
func (l library) run(ctx context.Context, d *set, file string, more ...string) (seconds float64, err error) {
	args := append(append([]string{"-q"}, l.args(d)...), more...)
	cmd := exec.CommandContext(ctx, l.program, append(args, file, file+".model")...)
	cmd.WaitDelay = time.Second // of a script that is ended its programs may go on, and hold the output open
	text, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return 0, ctx.Err()
	}
	if err != nil {
		return 0, fmt.Errorf("%s %v: %w: %s", l.program, args, err, text)
	}
	return (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(), nil
}

// writeLabels writes a file of LIBSVM text for each label that some of the examples have and some have not, which is 1
// there, and -1 for the others.
func writeLabels(dir string, d *set, p part) (files []string, err error) {
	_, cols := p.x.Dims()
	row, lines := vec.NewMatrix[float32](1, cols), make([][]byte, len(p.sets))
	for i := range lines {
		p.x.Gather(row, []int{i})
		for j, v := range row.Data[:cols] {
			if v != 0 {
				lines[i] = strconv.AppendInt(append(lines[i], ' '), int64(j+1), 10)
				lines[i] = strconv.AppendFloat(append(lines[i], ':'), float64(v), 'g', -1, 32)
			}
		}
	}
	for l := range d.labels {
		only, has := onlyLabel(p.sets, l), 0
		for _, s := range only {
			has += len(s)
		}
		if has == 0 || has == len(only) {
			continue
		}
		files = append(files, filepath.Join(dir, fmt.Sprintf("%d.svm", l)))
		if err := writeLabel(files[len(files)-1], only, lines); err != nil {
			return nil, err
		}
	}
	if files == nil {
		err = fmt.Errorf("%s, N = %d: no label that some examples have and some have not", d.name, len(p.sets))
	}
	return files, err
}

func writeLabel(path string, only [][]int, lines [][]byte) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(file)
	for i, line := range lines {
		fmt.Fprintf(w, "%+d%s\n", 2*len(only[i])-1, line)
	}
	return errors.Join(w.Flush(), file.Close())
}
