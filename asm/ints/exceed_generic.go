package ints

func exceedGeneric(n int, p, half *int32, least int32, idx *int32) (found int) {
	for i := range n {
		*at(idx, found) = int32(i)
		if *at(p, i)-*at(half, i) > least {
			found++
		}
	}
	return found
}

func exceedLineGeneric(n int, p *int32, z *float32, slope, floor float32, idx *int32) (found int) {
	for i := range n {
		*at(idx, found) = int32(i)
		if float32(*at(p, i)) > float32(slope**at(z, i))+floor {
			found++
		}
	}
	return found
}
