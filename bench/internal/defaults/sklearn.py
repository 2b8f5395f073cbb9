# The accuracies of LinearSVC and LogisticRegression, in percent; none where there is no scikit-learn.
import sys, warnings

warnings.simplefilter("ignore")  # that they have not converged
try:
    from sklearn.datasets import load_svmlight_files
    from sklearn.linear_model import LogisticRegression
    from sklearn.svm import LinearSVC
except ImportError:
    print("[]")
    sys.exit()
train, test, features = sys.argv[1], sys.argv[2], int(sys.argv[3])
x, y, u, v = load_svmlight_files((train, test), n_features=features)
print([100 * m.fit(x.toarray(), y).score(u.toarray(), v) for m in (LinearSVC(random_state=0), LogisticRegression())])
