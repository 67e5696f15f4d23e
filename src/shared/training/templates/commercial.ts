import { lessonPatterns } from './lesson-patterns.ts'
import type { RequirementTemplate, SyllabusTemplate } from './syllabus-template.ts'

const flown = { 'CPL.TOTAL': 'flight', 'CPL.POWERED': 'flight', 'CPL.AIRPLANE': 'flight' } as const
/**
 * A rated pilot who is the sole manipulator of the controls is pilot in command during training too: 14 CFR
 * 61.51(e)(1)(i).
 */
const commanded = { 'CPL.PIC': 'pic', 'CPL.PIC_AIRPLANE': 'pic' } as const
const { dual, solo, ground, check } = lessonPatterns({
  dual: { ...flown, ...commanded, 'CPL.DUAL': 'instruction' },
  solo: { ...flown, ...commanded, 'CPL.SOLO': 'solo' },
})
const complex = { 'CPL.COMPLEX_TAA': 'instruction' } as const
const instruments = { 'CPL.INSTRUMENT': 'instrument' } as const
const prepares = { 'CPL.TEST_PREP': 'instruction' } as const

const brought = (code: string, label: string, deciHours: number, simulatorBps = 0): RequirementTemplate => ({
  code,
  label,
  deciHours,
  simulatorBps,
  experience: true,
})

/** Commercial pilot, airplane single-engine land, under 14 CFR 61.129(a). */
export const commercialPilot: SyllabusTemplate = {
  key: 'commercial',
  name: 'Commercial pilot, airplane',
  description:
    'Aeronautical experience of 14 CFR 61.129(a) for a single-engine airplane; tasks of the Commercial Pilot for Airplane Category ACS, FAA-S-ACS-7B.',
  standard: 'FAA-S-ACS-7B',
  certificateSought: 'commercial',
  ratingId: 1,
  requirements: [
    // 61.129(i): 50 of the 250 hours may be in a simulator or training device; confirm it against the rule in force.
    brought('CPL.TOTAL', 'Total time as pilot', 2500, 2000),
    brought('CPL.POWERED', 'Powered aircraft', 1000),
    brought('CPL.AIRPLANE', 'Airplanes', 500),
    brought('CPL.PIC', 'Pilot in command', 1000),
    brought('CPL.PIC_AIRPLANE', 'Pilot in command, in airplanes', 500),
    brought('CPL.PIC_XC', 'Cross-country as pilot in command, 10 hours of it in airplanes', 500),
    { code: 'CPL.DUAL', label: 'Training in the areas of 61.127(b)(1)', deciHours: 200 },
    // 5 of the 10 hours are flown in a single-engine airplane.
    { code: 'CPL.INSTRUMENT', label: 'Instrument training', deciHours: 100, simulatorBps: 5000 },
    {
      code: 'CPL.COMPLEX_TAA',
      label: 'Complex, turbine-powered or technically advanced airplane',
      deciHours: 100,
      simulatorBps: 0,
    },
    { code: 'CPL.DAY_XC', label: '2-hour day cross-country over 100 NM in a straight line', count: 1 },
    { code: 'CPL.NIGHT_XC', label: '2-hour night cross-country over 100 NM in a straight line', count: 1 },
    { code: 'CPL.TEST_PREP', label: 'Practical-test preparation', deciHours: 30, simulatorBps: 0, months: 2 },
    { code: 'CPL.SOLO', label: 'Solo, or pilot in command with an instructor aboard', deciHours: 100, simulatorBps: 0 },
    {
      code: 'CPL.SOLO_LONG_XC',
      label: 'Cross-country of 300 NM, 3 points, one 250 NM from the departure (150 in Hawaii)',
      count: 1,
    },
    { code: 'CPL.SOLO_NIGHT', label: 'Night VFR', deciHours: 50, simulatorBps: 0 },
    { code: 'CPL.SOLO_NIGHT_TAKEOFFS', label: 'Night takeoffs at a towered airport', count: 10 },
    { code: 'CPL.SOLO_NIGHT_LANDINGS', label: 'Night landings at a towered airport', count: 10 },
  ],
  stages: [
    {
      name: 'Stage 1: cross-country and night',
      objective: 'The pilot commands longer flights, by day and by night.',
      lessons: [
        ground('Commercial privileges, weather and planning', 20, ['CA.I.A', 'CA.I.C', 'CA.I.D', 'CA.I.E', 'CA.I.H']),
        dual('Day cross-country over 100 NM', 22, ['CA.I.D', 'CA.VI.A', 'CA.VI.B', 'CA.VI.C'], {
          'CPL.DAY_XC': 1,
          'CPL.PIC_XC': 'pic',
        }),
        dual('Night cross-country over 100 NM', 22, ['CA.VI.A', 'CA.VI.B', 'CA.VI.D'], {
          'CPL.NIGHT_XC': 1,
          'CPL.PIC_XC': 'pic',
        }),
        solo('Night at a towered airport', 25, ['CA.III.A', 'CA.IV.A', 'CA.IV.B'], {
          'CPL.SOLO_NIGHT': 'night',
          'CPL.SOLO_NIGHT_TAKEOFFS': 5,
          'CPL.SOLO_NIGHT_LANDINGS': 5,
        }),
        solo('Night at a towered airport, again', 25, ['CA.III.A', 'CA.IV.A', 'CA.IV.B'], {
          'CPL.SOLO_NIGHT': 'night',
          'CPL.SOLO_NIGHT_TAKEOFFS': 5,
          'CPL.SOLO_NIGHT_LANDINGS': 5,
        }),
        solo('Cross-country of 300 NM', 50, ['CA.I.D', 'CA.VI.A', 'CA.VI.B'], {
          'CPL.PIC_XC': 'cross_country',
          'CPL.SOLO_LONG_XC': 1,
        }),
        check('Stage check: cross-country', 15, ['CA.I.D', 'CA.VI.A', 'CA.VI.C', 'CA.VI.D']),
      ],
    },
    {
      name: 'Stage 2: instruments and the complex or advanced airplane',
      objective: 'The pilot flies by reference to instruments and manages the systems of a more capable airplane.',
      lessons: [
        ground('Systems and performance', 20, ['CA.I.B', 'CA.I.F', 'CA.I.G', 'CA.VIII.A', 'CA.VIII.B']),
        dual(
          'Complex or advanced airplane, transition',
          20,
          ['CA.I.G', 'CA.II.B', 'CA.II.D', 'CA.II.F', 'CA.III.B', 'CA.IV.A', 'CA.IV.B', 'CA.XI.A'],
          complex,
        ),
        dual('Complex or advanced airplane, emergencies', 20, ['CA.IX.A', 'CA.IX.C', 'CA.IX.D'], complex),
        dual('Instruments in the advanced airplane', 30, ['CA.II.B', 'CA.VI.B'], { ...complex, ...instruments }),
        dual('Instruments, en route and approaches', 30, ['CA.VI.B', 'CA.VI.C'], { ...complex, ...instruments }),
        dual(
          'Instruments, partial panel',
          20,
          [{ name: 'Partial panel, and recovery from unusual attitudes' }],
          instruments,
        ),
        dual('Instruments, holding and navigation', 20, [{ name: 'Holding, intercepting and tracking' }], instruments),
      ],
    },
    {
      name: 'Stage 3: commercial maneuvers',
      objective: 'The pilot masters the airplane through its range of performance.',
      lessons: [
        dual('Steep turns, steep spirals and power-off accuracy landings', 14, ['CA.V.A', 'CA.V.B', 'CA.IV.M']),
        dual('Chandelles and lazy eights', 14, ['CA.V.C', 'CA.V.D']),
        dual('Eights on pylons', 13, ['CA.V.E']),
        dual('Slow flight and stalls', 13, ['CA.VII.A', 'CA.VII.B', 'CA.VII.C', 'CA.VII.D', 'CA.VII.E']),
        dual('Short and soft fields', 13, ['CA.IV.C', 'CA.IV.D', 'CA.IV.E', 'CA.IV.F', 'CA.IV.N']),
      ],
    },
    {
      name: 'Stage 4: preparation of the practical test',
      objective: 'The pilot meets the standards of the test in every task.',
      lessons: [
        ground('Review of the oral part', 20, [
          'CA.I.A',
          'CA.I.B',
          'CA.I.C',
          'CA.I.D',
          'CA.I.E',
          'CA.I.F',
          'CA.I.G',
          'CA.I.H',
        ]),
        dual('Review of the maneuvers', 15, ['CA.V.A', 'CA.V.B', 'CA.V.C', 'CA.V.D', 'CA.V.E'], prepares),
        dual(
          'Practice test',
          15,
          ['CA.II.A', 'CA.IV.E', 'CA.IV.F', 'CA.IV.M', 'CA.V.C', 'CA.VII.D', 'CA.IX.B'],
          prepares,
        ),
        check(
          'Final stage check',
          15,
          ['CA.I.A', 'CA.IV.C', 'CA.IV.D', 'CA.IV.M', 'CA.V.D', 'CA.V.E', 'CA.VII.B'],
          prepares,
        ),
      ],
    },
  ],
}
