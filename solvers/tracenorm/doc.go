// Package tracenorm trains multinomial logistic regression whose weights have low rank.
package tracenorm
