package toprank

import "github.com/dualgap/dualgap/internal/container"

func (s *training[T]) Save(w *container.Writer) {}
func (s *training[T]) Load(r *container.Reader) {}
