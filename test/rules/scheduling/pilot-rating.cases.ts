import type { ReservationType } from '../../../src/shared/fleet/resources/reservation-types.rules.ts'
import type { ResourceFacts } from '../../../src/shared/scheduling/rules/booking-facts.types.ts'
import type { RatingFacts } from '../../../src/shared/scheduling/rules/rating-papers.rules.ts'
import { at, plane } from './booking-facts.ts'

const rated = (category: string, of: string | null, over: Partial<ResourceFacts> = {}, tailwheel = false) =>
  plane({ aircraft: { category, class: of, type: null, tailwheel }, ...over })

/** The aircraft of the cases. */
export const aircraft = {
  single: rated('airplane', 'single_engine_land'),
  twin: rated('airplane', 'multi_engine_land', { make: 'Piper', model: 'PA-44' }),
  'twin without a model': rated('airplane', 'multi_engine_land', { make: null, model: null }),
  floats: rated('airplane', 'single_engine_sea'),
  complex: rated('airplane', 'single_engine_land', { complex: true }),
  fast: rated('airplane', 'single_engine_land', { highPerformance: true }),
  'complex and fast': rated('airplane', 'single_engine_land', { complex: true, highPerformance: true }),
  tailwheel: rated('airplane', 'single_engine_land', {}, true),
  helicopter: rated('helicopter', 'helicopter', { make: 'Robinson', model: 'R-44' }),
  glider: rated('glider', 'glider'),
  'without a class': rated('airplane', null, { complex: true }),
  'of another category': rated('other', 'powered_parachute_land'),
  simulator: plane({ kind: 'simulator', aircraft: null, name: 'AATD' }),
}

const nothing: RatingFacts = { pilot: null, instructor: null, loggedBefore: [], hours: [], endorsed: [], logged: [] }
const holds = (over: Partial<RatingFacts>): RatingFacts => ({ ...nothing, ...over })
const pilot = (grade: string | null, ...ratings: string[]) => holds({ pilot: { grade, ratings } })
const instructor = (own: string[], teaches: string[], over: Partial<RatingFacts> = {}) =>
  holds({ pilot: { grade: 'commercial', ratings: own }, instructor: { ratings: teaches }, ...over })
const endorsed = (rating: string, end: string | null = null) => ({
  endorsed: [{ rating, expiresAt: end === null ? null : at(end) }],
})
const private_ = (over: Partial<RatingFacts> = {}) => ({ ...pilot('private', 'ASEL'), ...over })
const single = (over: Partial<RatingFacts> = {}) => instructor(['ASEL'], ['CFI-ASE'], over)
const twin = (over: Partial<RatingFacts> = {}) => instructor(['ASEL', 'AMEL'], ['CFI-ASE', 'CFI-AME'], over)
const inModel = (picDeciHours: number, makeAndModel = 'Piper PA-44') => ({ hours: [{ makeAndModel, picDeciHours }] })
const logged = (picTenths: number) => ({ logged: [{ make: 'Piper', model: 'PA-44', endorsedAs: [], picTenths }] })

/**
 * A case: the type of booking, the aircraft, what the person whom the rule asks holds, and what the rule says. Each finding is
 * the papers that are missing and the paragraph of 14 CFR; one that is not known to be missing begins with `?`.
 */
interface Case {
  says: string
  type: ReservationType
  on: keyof typeof aircraft
  held: RatingFacts
  /** Whether a planned lesson is of a course for an instrument rating. */
  instrument?: boolean
  found: readonly string[]
}

const certificate = 'pilot certificate above student'
const of =
  (type: ReservationType) =>
  (says: string, on: Case['on'], held: RatingFacts, ...found: string[]): Case => ({
    says,
    type,
    on,
    held,
    found,
  })
const rental = of('rental')
const shared = of('shared')
const dual = of('dual')
const guest = of('guest')
const sim = of('sim')
const instrumentLesson = (one: Case): Case => ({ ...one, instrument: true })

/** Sixty cases, each decided by hand from the paragraph that it cites. */
export const cases: readonly Case[] = [
  // 61.3(a): a pilot certificate; 61.31(d): its category and class.
  rental('a private pilot in the class', 'single', private_()),
  rental('the word for a rating counts like its code', 'single', pilot('private', 'airplane_single_engine_land')),
  rental('spelling aside', 'single', pilot('private', 'Airplane Single-Engine Land')),
  rental('a commercial pilot', 'single', pilot('commercial', 'ASEL', 'IR-A')),
  rental('a sport pilot is above student', 'single', pilot('sport', 'ASEL')),
  rental('no certificate on record', 'single', nothing, `? ${certificate}: 61.3(a)`),
  rental('a certificate without a grade', 'single', pilot(null, 'ASEL'), `? ${certificate}: 61.3(a)`),
  rental('a student', 'single', pilot('student'), `${certificate}: 61.3(a)`),
  rental('a student who wrote a rating', 'single', pilot('student', 'ASEL'), `${certificate}: 61.3(a)`),
  rental('without ratings', 'single', pilot('private'), 'airplane single-engine land rating: 61.31(d)'),
  rental('a word that is no rating', 'single', pilot('private', 'ace'), 'airplane single-engine land rating: 61.31(d)'),
  rental('the class of a twin', 'single', pilot('private', 'AMEL'), 'airplane single-engine land rating: 61.31(d)'),
  rental('a single-engine pilot in a twin', 'twin', private_(), 'airplane multiengine land rating: 61.31(d)'),
  rental('land is not sea', 'floats', private_(), 'airplane single-engine sea rating: 61.31(d)'),
  rental('a seaplane rating', 'floats', pilot('private', 'ASES')),
  rental('an airplane pilot in a helicopter', 'helicopter', private_(), 'helicopter rating: 61.31(d)'),
  rental('a helicopter pilot asks no hours of a renter', 'helicopter', pilot('private', 'RH')),
  rental('a helicopter pilot by the word', 'helicopter', pilot('private', 'rotorcraft_helicopter')),
  rental('a glider pilot', 'glider', pilot('private', 'GL')),
  rental('an airplane pilot in a glider', 'glider', private_(), 'glider rating: 61.31(d)'),
  rental(
    'an instructor rating is none of a pilot',
    'single',
    pilot('private', 'CFI-ASE'),
    'airplane single-engine land rating: 61.31(d)',
  ),
  rental('an aircraft without a class asks nothing', 'without a class', nothing),
  rental('nor one of another category', 'of another category', nothing),
  shared('the pilot in command of a shared flight', 'single', nothing, `? ${certificate}: 61.3(a)`),
  shared('rated', 'single', private_()),
  shared('a twin', 'twin', private_(), 'airplane multiengine land rating: 61.31(d)'),
  // 61.31(e), (f), (i): additional training, or time logged before.
  rental('a complex airplane, endorsed', 'complex', private_(endorsed('CPX'))),
  rental('a complex airplane, not endorsed', 'complex', private_(), 'endorsement for complex airplanes: 61.31(e)'),
  rental('time in complex airplanes before 1997', 'complex', private_({ loggedBefore: ['CPX'] })),
  rental(
    'time before in others',
    'complex',
    private_({ loggedBefore: ['HP', 'TW'] }),
    'endorsement for complex airplanes: 61.31(e)',
  ),
  rental(
    'an endorsement that ends before',
    'complex',
    private_(endorsed('CPX', '2026-06-02T13:59:59Z')),
    'endorsement for complex airplanes: 61.31(e)',
  ),
  rental('an endorsement that ends after the start', 'complex', private_(endorsed('CPX', '2026-06-02T14:00:01Z'))),
  rental('high performance, not endorsed', 'fast', private_(), 'endorsement for high-performance airplanes: 61.31(f)'),
  rental('high performance, endorsed', 'fast', private_(endorsed('HP'))),
  rental(
    'one of two',
    'complex and fast',
    private_(endorsed('CPX')),
    'endorsement for high-performance airplanes: 61.31(f)',
  ),
  rental(
    'neither of two',
    'complex and fast',
    private_(),
    'endorsement for complex airplanes and no endorsement for high-performance airplanes: 61.31(e), 61.31(f)',
  ),
  rental('a tailwheel, not endorsed', 'tailwheel', private_(), 'endorsement for tailwheel airplanes: 61.31(i)'),
  rental('a tailwheel before 1991', 'tailwheel', private_({ loggedBefore: ['TW'] })),
  rental(
    'nothing on record in a complex airplane',
    'complex',
    nothing,
    `? ${certificate}: 61.3(a)`,
    '? endorsement for complex airplanes: 61.31(e)',
  ),
  // 61.195(b): the instructor's own certificates; 61.31 as for a pilot.
  dual('an instructor with both', 'single', single()),
  dual(
    'the words of a pilot on an instructor certificate',
    'single',
    instructor(['airplane_single_engine_land'], ['airplane_single_engine_land']),
  ),
  dual(
    'nothing on record',
    'single',
    nothing,
    '? single-engine instructor rating and no airplane single-engine land rating: 61.195(b)',
  ),
  dual(
    'an instructor certificate alone',
    'single',
    holds({ instructor: { ratings: ['CFI-ASE'] } }),
    '? airplane single-engine land rating: 61.195(b)',
  ),
  dual(
    'a pilot certificate alone',
    'single',
    pilot('commercial', 'ASEL'),
    '? single-engine instructor rating: 61.195(b)',
  ),
  dual(
    'a single-engine instructor in a twin',
    'twin',
    instructor(['ASEL', 'AMEL'], ['CFI-ASE'], inModel(500)),
    'multiengine instructor rating: 61.195(b)',
  ),
  dual(
    'an instructor in an unendorsed tailwheel',
    'tailwheel',
    single(),
    'endorsement for tailwheel airplanes: 61.31(i)',
  ),
  guest('an instructor with both takes a guest', 'single', single()),
  guest(
    'an instructor without the class',
    'twin',
    single(),
    'multiengine instructor rating and no airplane multiengine land rating: 61.195(b)',
  ),
  guest('a guest flight asks no hours in the model', 'twin', twin()),
  // 61.195(f): five hours as pilot in command in the make and model.
  dual('5.0 hours elsewhere', 'twin', twin(inModel(50))),
  dual('4.9 hours', 'twin', twin(inModel(49)), '4.9 of 5.0 hours as pilot in command in the Piper PA-44: 61.195(f)'),
  dual('3.0 hours elsewhere and 2.0 in the log', 'twin', twin({ ...inModel(30), ...logged(20) })),
  dual('5.0 hours in the log', 'twin', twin(logged(50))),
  dual(
    'hours in another model',
    'twin',
    twin(inModel(500, 'Beech 76')),
    '0.0 of 5.0 hours as pilot in command in the Piper PA-44: 61.195(f)',
  ),
  dual('a twin whose model is not on record', 'twin without a model', twin()),
  dual(
    'a helicopter',
    'helicopter',
    instructor(['RH'], ['CFI-H'], inModel(40, 'R44')),
    '4.0 of 5.0 hours as pilot in command in the Robinson R-44: 61.195(f)',
  ),
  // 61.195(c): the instrument rating on both certificates.
  instrumentLesson(
    dual(
      'an instrument lesson',
      'single',
      single(),
      'instrument instructor rating and no instrument airplane rating: 61.195(c)',
    ),
  ),
  instrumentLesson(
    dual('an instrument instructor', 'single', instructor(['ASEL', 'IR-A'], ['CFI-ASE', 'instrument_airplane'])),
  ),
  instrumentLesson(
    sim(
      'a simulator',
      'simulator',
      instructor(['ASEL', 'IR-A'], ['CFI-ASE']),
      'instrument instructor rating: 61.195(c)',
    ),
  ),
  sim('a simulator without an instrument lesson', 'simulator', nothing),
]
