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

/** The category of an aircraft whose ratings a certificate lists by code. */
export type RatedCategory = 'airplane' | 'helicopter' | 'glider'

/** The ratings that a category of aircraft asks of pilots and instructors; without an instrument rating null. */
const categories: Record<RatedCategory, { instrument: string | null; instrumentInstructor: string | null }> = {
  airplane: { instrument: 'IR-A', instrumentInstructor: 'CFII-A' },
  helicopter: { instrument: 'IR-H', instrumentInstructor: 'CFII-H' },
  glider: { instrument: null, instrumentInstructor: null },
}

/** The rating of an instructor for each rating of a pilot; an instructor certificate has no sea ratings (14 CFR 61.5(c)). */
const instructorOf: Readonly<Record<string, string>> = {
  ASEL: 'CFI-ASE',
  ASES: 'CFI-ASE',
  AMEL: 'CFI-AME',
  AMES: 'CFI-AME',
  RH: 'CFI-H',
  GL: 'CFI-G',
  'IR-A': 'CFII-A',
  'IR-H': 'CFII-H',
}

/** Other words for ratings, as plain text. */
const otherWords: Readonly<Record<string, string>> = {
  helicopter: 'RH',
  airplanesingleengine: 'CFI-ASE',
  airplanemultiengine: 'CFI-AME',
}

/** Each code, and each word for it, as plain text. */
const codeOf = new Map([
  ...ratings.flatMap(({ code, name }) => [code, name].map((word) => [plain(word), code] as const)),
  ...Object.entries(otherWords),
])

/** Returns a word in lower case without spaces, hyphens and other marks, so that spellings compare. */
function plain(word: string): string {
  return word.toLowerCase().replace(/[^a-z0-9]/g, '')
}

/**
 * Returns the codes of the ratings on a pilot certificate. A rating is written as its code or in words, such as
 * `airplane_single_engine_land`; words that name no rating count for nothing.
 */
export function pilotRatings(written: readonly string[]): Set<string> {
  return new Set(written.flatMap((word) => codeOf.get(plain(word)) ?? []))
}

/**
 * Returns the codes of the ratings on an instructor certificate. The words of a pilot's rating mean the instructor's there:
 * `airplane_single_engine_land` is `CFI-ASE`.
 */
export function instructorRatings(written: readonly string[]): Set<string> {
  return new Set([...pilotRatings(written)].map((code) => instructorOf[code] ?? code))
}

/** The ratings that an aircraft asks of its pilot and its instructor, by code. */
export interface AskedRatings {
  pilot: string
  instructor: string
  instrument: string | null
  instrumentInstructor: string | null
}

/**
 * Returns the ratings for an aircraft; null when its category or class is not on record, or has no ratings here. The class
 * is as on a pilot certificate, such as `single_engine_land`. Implements interface §Booking rules.
 */
export function ratingsFor({
  category,
  class: given,
}: {
  category: string
  class: string | null
}): AskedRatings | null {
  if (!given || !isRated(category)) return null
  const pilot =
    category === 'airplane'
      ? (codeOf.get(plain(`airplane_${given}`)) ?? codeOf.get(plain(given)))
      : codeOf.get(category)
  const instructor = pilot === undefined ? undefined : instructorOf[pilot]
  return pilot && instructor ? { pilot, instructor, ...categories[category] } : null
}

function isRated(category: string): category is RatedCategory {
  return Object.hasOwn(categories, category)
}

/** An aircraft's category and class, as they were written. */
interface Classed {
  category: string | null
  class: string | null
}

/** Returns whether two aircraft are of one category and class, which may be written as a code (`AMEL`) or in words. */
export function isSameClass(one: Classed, other: Classed): boolean {
  if (one.category !== other.category) return false
  if (one.class === other.class) return true
  const { category } = one
  if (category === null) return false
  const [asked, alike] = [one, other].map((of) => ratingsFor({ category, class: of.class })?.pilot)
  return asked !== undefined && asked === alike
}

/** A verified pilot certificate; ratings are codes or words as they were written. */
export interface VerifiedCertificate {
  grade?: string | null | undefined
  ratings?: readonly string[] | null | undefined
}

/**
 * Returns whether a pilot certificate is above student and has the category and class of an aircraft: 14 CFR 61.31(d). For a
 * category without ratings here the word `<category>_<class>` counts.
 */
export function isRatedIn(
  { grade, ratings: written }: VerifiedCertificate,
  aircraft: { category: string; class: string | null },
): boolean {
  if (!grade || grade === 'student' || !aircraft.class) return false
  const asked = ratingsFor(aircraft)
  const isNamed = written?.includes(`${aircraft.category}_${aircraft.class}`) ?? false
  return isNamed || (asked !== null && pilotRatings(written ?? []).has(asked.pilot))
}
