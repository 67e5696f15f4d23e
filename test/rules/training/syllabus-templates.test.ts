import { describe, expect, test } from 'vitest'
import { findRating, ratings } from '../../../src/shared/qualification/ratings.rules.ts'
import { isCounting } from '../../../src/shared/training/courses/syllabus.rules.ts'
import { acsTasks } from '../../../src/shared/training/templates/acs-tasks.ts'
import type { LessonTemplate, SyllabusTemplate } from '../../../src/shared/training/templates/syllabus-template.ts'
import { syllabusTemplates } from '../../../src/shared/training/templates/syllabus-templates.ts'

const lessonsOf = ({ stages }: SyllabusTemplate) => stages.flatMap(({ lessons }) => lessons)

/**
 * What a lesson adds to a requirement at most when it is flown as planned: all of it at night, as a cross-country or on
 * instruments, with any number of landings; simulator time is not planned.
 */
function planned({ credits = {}, flight = 0, ground = 0 }: LessonTemplate, code: string): number {
  const credit = credits[code]
  if (typeof credit === 'number') return credit
  if (credit === undefined || credit === 'simulator') return 0
  if (credit === 'ground') return ground
  return isCounting(credit) ? 100 : flight
}

const figures = ({ requirements }: SyllabusTemplate) =>
  Object.fromEntries(requirements.map(({ code, deciHours, count }) => [code, deciHours ?? count]))
const named = (key: string) => syllabusTemplates.find((template) => template.key === key)!

test('there are eleven syllabus templates', () => {
  expect(syllabusTemplates.map(({ key }) => key)).toEqual([
    'private',
    'instrument',
    'commercial',
    'cfi',
    'flight-review',
    'tailwheel',
    'high-performance',
    'complex',
    'private_141',
    'instrument_141',
    'commercial_141',
  ])
})

describe('the figures of the regulation (14 CFR 61 and 141)', () => {
  test('are those of 61.109(a) for private pilot', () => {
    expect(figures(named('private'))).toEqual({
      'PPL.TOTAL': 400,
      'PPL.DUAL': 200,
      'PPL.SOLO': 100,
      'PPL.DUAL_XC': 30,
      'PPL.DUAL_NIGHT': 30,
      'PPL.NIGHT_XC': 1,
      'PPL.NIGHT_TAKEOFFS': 10,
      'PPL.NIGHT_LANDINGS': 10,
      'PPL.INSTRUMENT': 30,
      'PPL.TEST_PREP': 30,
      'PPL.SOLO_XC': 50,
      'PPL.SOLO_LONG_XC': 1,
      'PPL.SOLO_TOWER_TAKEOFFS': 3,
      'PPL.SOLO_TOWER_LANDINGS': 3,
    })
  })

  test('are those of 61.65(d) for instrument rating', () => {
    expect(figures(named('instrument'))).toEqual({
      'IR.PIC_XC': 500,
      'IR.PIC_XC_AIRPLANE': 100,
      'IR.INSTRUMENT': 400,
      'IR.DUAL': 150,
      'IR.TEST_PREP': 30,
      'IR.LONG_XC': 1,
    })
  })

  test('are those of 61.129(a) for commercial pilot', () => {
    expect(figures(named('commercial'))).toEqual({
      'CPL.TOTAL': 2500,
      'CPL.POWERED': 1000,
      'CPL.AIRPLANE': 500,
      'CPL.PIC': 1000,
      'CPL.PIC_AIRPLANE': 500,
      'CPL.PIC_XC': 500,
      'CPL.DUAL': 200,
      'CPL.INSTRUMENT': 100,
      'CPL.COMPLEX_TAA': 100,
      'CPL.DAY_XC': 1,
      'CPL.NIGHT_XC': 1,
      'CPL.TEST_PREP': 30,
      'CPL.SOLO': 100,
      'CPL.SOLO_LONG_XC': 1,
      'CPL.SOLO_NIGHT': 50,
      'CPL.SOLO_NIGHT_TAKEOFFS': 10,
      'CPL.SOLO_NIGHT_LANDINGS': 10,
    })
  })

  test('are those of Part 141 Appendix B for private pilot', () => {
    expect(figures(named('private_141'))).toEqual({
      'PPL.GROUND': 350,
      'PPL.TOTAL': 350,
      'PPL.DUAL': 200,
      'PPL.DUAL_XC': 30,
      'PPL.DUAL_NIGHT': 30,
      'PPL.NIGHT_XC': 1,
      'PPL.NIGHT_TAKEOFFS': 10,
      'PPL.NIGHT_LANDINGS': 10,
      'PPL.INSTRUMENT': 30,
      'PPL.TEST_PREP': 30,
      'PPL.SOLO': 50,
      'PPL.SOLO_LONG_XC': 1,
      'PPL.SOLO_TOWER_TAKEOFFS': 3,
      'PPL.SOLO_TOWER_LANDINGS': 3,
    })
  })

  test('are those of Part 141 Appendix C for instrument rating', () => {
    expect(figures(named('instrument_141'))).toEqual({ 'IR.GROUND': 300, 'IR.TOTAL': 350, 'IR.LONG_XC': 1 })
  })

  test('are those of Part 141 Appendix D for commercial pilot', () => {
    expect(figures(named('commercial_141'))).toEqual({
      'CPL.GROUND': 350,
      'CPL.TOTAL': 1200,
      'CPL.DUAL': 550,
      'CPL.INSTRUMENT': 100,
      'CPL.COMPLEX_TAA': 100,
      'CPL.DAY_XC': 1,
      'CPL.NIGHT_XC': 1,
      'CPL.TEST_PREP': 30,
      'CPL.SOLO': 100,
      'CPL.SOLO_LONG_XC': 1,
      'CPL.SOLO_NIGHT': 50,
      'CPL.SOLO_NIGHT_TAKEOFFS': 10,
      'CPL.SOLO_NIGHT_LANDINGS': 10,
    })
  })

  test('count back 60 days for test preparation under Part 141', () => {
    const windows = syllabusTemplates.flatMap(({ key, requirements }) =>
      requirements.flatMap(({ code, days }) => (days ? [[key, code, days]] : [])),
    )
    expect(windows).toEqual([
      ['private_141', 'PPL.TEST_PREP', 60],
      ['commercial_141', 'CPL.TEST_PREP', 60],
    ])
  })

  test('count back two calendar months for test preparation, and allow a simulator as far as the rules let it', () => {
    const all = syllabusTemplates.flatMap(({ requirements }) => requirements)
    expect(all.filter(({ months }) => months).map(({ code, months }) => [code, months])).toEqual([
      ['PPL.TEST_PREP', 2],
      ['IR.TEST_PREP', 2],
      ['CPL.TEST_PREP', 2],
      ['CFI.TEST_PREP', 2],
    ])
    const hoursInSimulator = (code: string) => {
      const { deciHours = 0, simulatorBps = 0 } = all.find((one) => one.code === code)!
      return Math.floor((deciHours * simulatorBps) / 10_000) / 10
    }
    expect(['PPL.TOTAL', 'PPL.DUAL', 'PPL.INSTRUMENT', 'IR.INSTRUMENT', 'CPL.TOTAL'].map(hoursInSimulator)).toEqual([
      2.5, 2.5, 0, 20, 50,
    ])
  })

  test('are those of 61.56(a) for the flight review: an hour each', () => {
    expect(figures(named('flight-review'))).toEqual({ 'FR.GROUND': 10, 'FR.FLIGHT': 10 })
  })
})

describe.each(syllabusTemplates.map((template) => [template.key, template] as const))('%s', (_, template) => {
  test('has each requirement once, for hours or a count', () => {
    const codes = template.requirements.map(({ code }) => code)
    expect(new Set(codes).size).toBe(codes.length)
    const odd = template.requirements.filter(
      ({ deciHours, count }) => (deciHours === undefined) === (count === undefined),
    )
    expect(odd).toEqual([])
  })

  test('credits only requirements that it has, in their own measure', () => {
    const odd = lessonsOf(template).flatMap(({ name, credits = {} }) =>
      Object.entries(credits).flatMap(([code, credit]) => {
        const requirement = template.requirements.find((one) => one.code === code)
        const timed = typeof credit === 'string' && !isCounting(credit)
        const fits = requirement && (requirement.count === undefined) === timed
        return fits ? [] : [`${name}: ${code}`]
      }),
    )
    expect(odd).toEqual([])
  })

  test('reaches, flown as planned, every requirement that students do not bring along', () => {
    const short = template.requirements
      .filter(({ experience }) => !experience)
      .map(({ code, deciHours, count }) => ({
        code,
        asked: deciHours ?? count ?? 0,
        planned: lessonsOf(template).reduce((sum, lesson) => sum + planned(lesson, code), 0),
      }))
      .filter(({ asked, planned: reached }) => reached < asked)
    expect(short).toEqual([])
  })

  test('has lessons with words, tasks and a time, and a rating of the catalog', () => {
    const bare = lessonsOf(template).filter(
      ({ name, objectives, standards, tasks, flight = 0, ground = 0 }) =>
        !name || !objectives || !standards || tasks.length === 0 || flight + ground === 0,
    )
    expect(bare).toEqual([])
    expect(findRating(template.ratingId)).not.toBeNull()
  })

  test('names each lesson and each task of a lesson once', () => {
    const names = lessonsOf(template).map(({ name }) => name)
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
    const twice = lessonsOf(template).filter(
      ({ tasks }) => new Set(tasks.map((task) => (typeof task === 'string' ? task : task.name))).size < tasks.length,
    )
    expect(twice.map(({ name }) => name)).toEqual([])
  })
})

describe('the lessons of the templates (§Training)', () => {
  const crediting = (clock: string) =>
    syllabusTemplates.flatMap((template) =>
      lessonsOf(template).flatMap(({ credits = {} }) => Object.keys(credits).filter((code) => credits[code] === clock)),
    )

  test('never credit a whole lesson as instrument, night, cross-country or solo time', () => {
    const whole = [...crediting('flight'), ...crediting('instruction'), ...crediting('simulator')]
    expect(whole.filter((code) => /INSTRUMENT|NIGHT|XC|SOLO|IR.DUAL/.test(code))).toEqual([])
  })

  test('credit pilot-in-command time to rated pilots in training, on cross-countries too (61.51(e)(1)(i))', () => {
    expect(new Set(crediting('pic'))).toEqual(
      new Set(['IR.PIC_XC', 'IR.PIC_XC_AIRPLANE', 'CPL.PIC', 'CPL.PIC_AIRPLANE', 'CPL.PIC_XC', 'CFI.PIC_CLASS']),
    )
  })

  test('have figures of the school where the regulation has none, which never block graduation', () => {
    const own = syllabusTemplates.flatMap(({ requirements }) =>
      requirements.filter(({ source }) => source === 'school'),
    )
    expect(own.map(({ code }) => code)).toEqual([
      ...['CFI.FOI', 'CFI.KNOWLEDGE', 'CFI.PROFICIENCY', 'CFI.TEST_PREP'],
      ...[
        'TW.NORMAL',
        'TW.CROSSWIND',
        'TW.WHEEL',
        'TW.GO_AROUND',
        'HP.GROUND',
        'HP.FLIGHT',
        'CPX.GROUND',
        'CPX.FLIGHT',
      ],
    ])
  })
})

describe('the tasks of the ACS (§Training)', () => {
  test('have codes of a document, an area and a task', () => {
    const odd = Object.keys(acsTasks).filter((code) => !/^(PA|IR|CA|AI)\.[IVX]+\.[A-P]$/.test(code))
    expect(odd).toEqual([])
  })

  test.each(['private', 'instrument', 'commercial', 'cfi'])('are all trained somewhere in the %s syllabus', (key) => {
    const template = named(key)
    const trained = new Set(lessonsOf(template).flatMap(({ tasks }) => tasks))
    const [first] = [...trained].filter((task): task is keyof typeof acsTasks => typeof task === 'string')
    const prefix = first?.slice(0, 3) ?? ''
    const missing = Object.keys(acsTasks).filter((code) => code.startsWith(prefix) && !trained.has(code as never))
    expect(missing).toEqual([])
  })
})

test('the ratings have ids and codes of their own', () => {
  expect(new Set(ratings.map(({ id }) => id)).size).toBe(ratings.length)
  expect(new Set(ratings.map(({ code }) => code)).size).toBe(ratings.length)
  expect(findRating(null)).toBeNull()
  expect(findRating(999)).toBeNull()
})
