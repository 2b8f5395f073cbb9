package data

// file is a file that -data DIR reads.
type file struct {
	path    string // below DIR
	sum     string // SHA-256 of what it holds, unpacked where it is packed
	origin  string
	licence string
	made    string // from which of the archive's files bench data makes it; "": it does not
}

const (
	mnist       = "MNIST (LeCun, Cortes, Burges), the files of that name"
	fashion     = "Fashion-MNIST (Zalando), the files of that name"
	silhouettes = "Caltech-101 Silhouettes (Marlin), 28 x 28, split 1"
	mulanData   = "Mulan's data sets, data/multi-label"
	features    = "computed from the images of Caltech-101"

	noneStated = "none stated"
	ccBySa     = "CC BY-SA 3.0"
	ccBy       = "CC BY 4.0"

	anyName = "the file, packed or not, under any name"
	matFile = "caltech101_silhouettes_28_split1.mat"
	tsvFile = "sift-dataset-5k.tsv"
	rdaFile = "rcv1sub1.rda"
)

// files are all of them.
var files = []file{
	{"mnist/train-images-idx3-ubyte.gz", "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db", mnist,
		ccBySa, anyName},
	{"mnist/train-labels-idx1-ubyte.gz", "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5", mnist,
		ccBySa, anyName},
	{"mnist/t10k-images-idx3-ubyte.gz", "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7", mnist,
		ccBySa, anyName},
	{"mnist/t10k-labels-idx1-ubyte.gz", "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2", mnist,
		ccBySa, anyName},
	{"fashion-mnist/train-images-idx3-ubyte.gz", "c59f468a2f672dc815687fe0f83887768d799fd8a3f3276145d20f83aa44d888",
		fashion, "MIT", anyName},
	{"fashion-mnist/train-labels-idx1-ubyte.gz", "bad3541b69d912435c50bb6ba87bec294ff4f6a2e1246121d8633921760443d9",
		fashion, "MIT", anyName},
	{"fashion-mnist/t10k-images-idx3-ubyte.gz", "5b4141f0afbad91edebe8549f8fcffe087ea10ca49f1dbef5c9a5cd8815ce37b",
		fashion, "MIT", anyName},
	{"fashion-mnist/t10k-labels-idx1-ubyte.gz", "0402a96d92fd2663957122ceb108a494c5af83dab82d92729df917d7dec38c34",
		fashion, "MIT", anyName},
	{"caltech101-silhouettes28-train.svm.gz", "6bfa398d8abfb73ced18cab35cadc399317094367898abd04e5195ab44e734d9",
		silhouettes, noneStated, matFile},
	{"caltech101-silhouettes28-val.svm.gz", "e2481ab326010fcd84f370070c1b3c0ef3a2fd83e82e32967e3e1c38c2b43f86",
		silhouettes, noneStated, matFile},
	{"caltech101-silhouettes28-test.svm.gz", "7d7fdb92364edd8f1c82b7b7cdacd707d003ef8b4e07de331d30a97d0a7f9149",
		silhouettes, noneStated, matFile},
	{"yeast-train.mlsvm.gz", "cc7f07dd8483210dbd00e53603a325ee01a6982c0695dad28d1a4752294bf91a", mulanData, noneStated,
		"yeast-train.arff, yeast.xml"},
	{"yeast-test.mlsvm.gz", "571e8e84f9fcb32a696699ac94c2a647bca21fe8aa6d18a7e8b57428e3b9302d", mulanData, noneStated,
		"yeast-test.arff, yeast.xml"},
	{"tmc2007-500-train.mlsvm.gz", "39a1d1429da4b32482170a5395b005e96da3ed9202bcd04d8d8cc5a926f5033b", mulanData,
		noneStated, "tmc2007-500-train.arff, tmc2007-500.xml"},
	{"tmc2007-500-test.mlsvm.gz", "52e300f68144d4635eed8d084cc13335a94ebb428af6b86194c97e9dd5863300", mulanData,
		noneStated, "tmc2007-500-test.arff, tmc2007-500.xml"},
	{"rcv1sub1.mlsvm.gz", "f1be93e46453da529c5a40c5dd0235b24a20452285c4f68888d584ee488c77e3",
		"RCV1 subset 1, from rcv1sub1.rda of the R package mldr.datasets; a column with leaked labels taken out",
		"LGPL-3, RCV1's terms", rdaFile},
	{"sift5k.npy.gz", "07d525b5a41cbda1a9b6b055f5bc017bf89e57b825a87fedda020676f250c330",
		"SIFT descriptors, data/sift-dataset-5k.tsv of NGT", "Apache-2.0", tsvFile},
	{"caltech101-feat/phog180.npy.gz", "4c40a9eea7ec0d5d4458c47ac317ae7c3dbbc8f2928a678799aaa9cea9b6cae3", features,
		ccBy, ""},
	{"caltech101-feat/phog360.npy.gz", "711cde0627217b19d18ec120630bc2a1eb352925316c7d879630a22cbd31605e", features,
		ccBy, ""},
	{"caltech101-feat/lbp.npy.gz", "20bfec1a89b0a3ae50753d45a48708e9f247faf2cc6594345414439d949edd8e", features, ccBy,
		""},
	{"caltech101-feat/hsv.npy.gz", "dfce0d4b9dfaeeafc1c7016c436139b9de83bec368e3db8bdee2a68da5865d26", features, ccBy,
		""},
	{"caltech101-feat/gist.npy.gz", "9d7982fb3639a6e02a50e46b3914fd51cd22ed7ba7d5829c5c312425f8df1e5e", features, ccBy,
		""},
	{"caltech101-feat/bow.npy.gz", "15bd10ac92b48dbf453bb3a8b2056ea8e3779936805efb75fddef4e54a4647a8", features, ccBy,
		""},
	{"caltech101-feat/fv.npy.gz", "c7e0bd0759ead35aac3d4917b4b6d5fa0ca3d9ad8d30dd89984fed684f1fca1e", features, ccBy,
		""},
	{"caltech101-feat/index.tsv", "60818ee52077f37ea5a7da1b457a6fe49786f9b64d52201642bf65e925903eac", features, ccBy,
		""},
	{"caltech101-feat/scales.tsv", "469ef06c7f49316ebc454e2dff7058062e9cff954ae6ee3f542c84f851b5f6a2", features, ccBy,
		""},
}
