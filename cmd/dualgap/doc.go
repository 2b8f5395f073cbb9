// Command dualgap trains large-margin models, and predicts, evaluates, serves, inspects and converts with
// them.
//
//	go install github.com/dualgap/dualgap/cmd/dualgap@latest
//	dualgap train topk train.svm model.dg        # a multi-class SVM, with a certificate
//	dualgap predict test.svm model.dg            # one class a line, and the accuracy
//	dualgap evaluate --per-class test.svm model.dg
//	dualgap inspect model.dg                     # what it is, how good it is proved to be, its coefficients
//
// # Commands
//
//	dualgap train topk|m3l|svm|regress|oneclass|toprank|tracenorm|l1|mkl [flags] TRAIN MODEL
//	dualgap predict  [flags] DATA MODEL [OUTPUT]
//	dualgap evaluate [flags] DATA MODEL
//	dualgap calibrate [flags] DATA MODEL OUTPUT
//	dualgap serve    [flags] MODEL
//	dualgap inspect  [flags] FILE
//	dualgap convert  [flags] IN OUT
//	dualgap index build   [flags] VECTORS INDEX
//	dualgap index search  [flags] INDEX QUERIES [OUTPUT]
//	dualgap index inspect [flags] INDEX
//	dualgap completion bash|zsh|fish
//	dualgap man
//
// Each of them explains its flags with --help, or by "dualgap help COMMAND"; --version tells the commit and the tier.
// Data are LIBSVM text (also with sets of labels), CSV, NPY, IDX or fvecs, packed by gzip or not; the name says which,
// or --format. "-" is standard input or output.
//
// # Training
//
// Flags have the names that LIBLINEAR and LIBSVM have for them: -c cost, -e tolerance (here the relative duality gap),
// -B bias, -w CLASS=WEIGHT or -w1 2, -v folds, -t kernel, -g gamma, -d degree, -r coef0, -m megabytes, -q. A long name
// may stand behind one dash.
//
//	dualgap train topk -k 5 -cv 5 train.svm model.dg            # five guesses count; the cost by cross-validation
//	dualgap train topk -t gaussian -g .1 train.svm model.dg     # on a kernel
//	dualgap train m3l --prior correlations train.svm model.dg   # sets of labels
//	dualgap train toprank --positive 1 train.svm model.dg       # right at the top
//	dualgap train tracenorm --scale standard train.csv model.dg # probabilities of many classes
//	dualgap train l1 -cv 5 --scale standard train.csv model.dg  # few features that matter
//	dualgap train mkl --groups 1-64,65-128 train.csv model.dg   # which features matter?
//
// With --calibrate a model of any family gives probabilities, with --threshold recall=.95 it finds that part of a
// class: both are fitted on scores of examples that the trainings of a cross-validation have left out.
//
// The equals of liblinear-train -s 4 and -s 3 are topk -k 1 and m3l --loss hinge with the same -c, of -s 5 and -s 6 l1
// and l1 --loss logistic, and of svm-train topk or m3l with -t gaussian; -B -1 takes away the intercept, which
// LIBLINEAR's -B 1 adds.
//
// Training that takes long shows how far the gap has come down and the time that is left. Ctrl-C, SIGTERM or a closed
// terminal end it with a model and a state, from which --resume goes on to the same bits as if it had never stopped;
// --every 5m saves a state that often.
// Files are written whole or not at all: whenever the program or the machine dies, the old file is there or the new
// one. No output is an input, and none replaces a file of another kind unless --force says so.
//
// # Exit codes
//
//	0    done
//	1    an error: a file that is damaged, data that make no sense; the message names the file, the line and the value
//	2    arguments that make no sense
//	3    trained, but the tolerance was not reached; the model is saved
//	130  interrupted; what there is is saved, and the message says how to go on
package main
