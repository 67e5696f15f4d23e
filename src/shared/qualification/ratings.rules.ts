/** A certificate or rating that a course or booking request names. The ids never change. */
export interface Rating {
  id: number
  code: string
  name: string
}

/** The ratings of 14 CFR 61.5 that schools train for, and the additional training of 14 CFR 61.31. */
export const ratings: readonly Rating[] = [
  { id: 1, code: 'ASEL', name: 'Airplane single-engine land' },
  { id: 2, code: 'AMEL', name: 'Airplane multiengine land' },
  { id: 3, code: 'ASES', name: 'Airplane single-engine sea' },
  { id: 4, code: 'AMES', name: 'Airplane multiengine sea' },
  { id: 5, code: 'RH', name: 'Rotorcraft helicopter' },
  { id: 6, code: 'RG', name: 'Rotorcraft gyroplane' },
  { id: 7, code: 'GL', name: 'Glider' },
  { id: 8, code: 'PL', name: 'Powered-lift' },
  { id: 9, code: 'LTA-A', name: 'Lighter-than-air airship' },
  { id: 10, code: 'LTA-B', name: 'Lighter-than-air balloon' },
  { id: 11, code: 'IR-A', name: 'Instrument airplane' },
  { id: 12, code: 'IR-H', name: 'Instrument helicopter' },
  { id: 13, code: 'IR-PL', name: 'Instrument powered-lift' },
  { id: 14, code: 'CFI-ASE', name: 'Flight instructor airplane single-engine' },
  { id: 15, code: 'CFI-AME', name: 'Flight instructor airplane multiengine' },
  { id: 16, code: 'CFII-A', name: 'Flight instructor instrument airplane' },
  { id: 17, code: 'CFI-H', name: 'Flight instructor rotorcraft helicopter' },
  { id: 18, code: 'CFII-H', name: 'Flight instructor instrument helicopter' },
  { id: 19, code: 'CFI-G', name: 'Flight instructor glider' },
  { id: 20, code: 'TW', name: 'Tailwheel airplane' },
  { id: 21, code: 'CPX', name: 'Complex airplane' },
  { id: 22, code: 'HP', name: 'High-performance airplane' },
  { id: 23, code: 'HA', name: 'Pressurized airplane, high altitude' },
]

const byId = new Map(ratings.map((rating) => [rating.id, rating]))

/** Returns the rating with an id; null for null or an unknown id. */
export function findRating(id: number | null): Rating | null {
  return id === null ? null : (byId.get(id) ?? null)
}
