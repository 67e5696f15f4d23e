import { lessonPatterns } from './lesson-patterns.ts'
import type { SyllabusTemplate } from './syllabus-template.ts'

/** Only time by reference to instruments counts, in an airplane or in a device: 14 CFR 61.51(g). */
const instrument = { 'IR.INSTRUMENT': 'instrument', 'IR.DUAL': 'instrument' } as const
const { dual, ground, sim, check } = lessonPatterns({ dual: instrument })
const prepares = { 'IR.TEST_PREP': 'instruction' } as const

/** Instrument rating, airplane, under 14 CFR 61.65(d). */
export const instrumentRating: SyllabusTemplate = {
  key: 'instrument',
  name: 'Instrument rating, airplane',
  description:
    'Aeronautical experience of 14 CFR 61.65(d) for an airplane; tasks of the Instrument Rating – Airplane ACS, FAA-S-ACS-8C.',
  standard: 'FAA-S-ACS-8C',
  certificateSought: 'instrument',
  ratingId: 11,
  requirements: [
    {
      code: 'IR.PIC_XC',
      label: 'Cross-country as pilot in command',
      deciHours: 500,
      simulatorBps: 0,
      experience: true,
    },
    {
      code: 'IR.PIC_XC_AIRPLANE',
      label: 'Cross-country as pilot in command, in airplanes',
      deciHours: 100,
      simulatorBps: 0,
      experience: true,
    },
    // 61.65(h) to (j): at most 20 of the 40 hours may be in devices, and at most 10 in basic devices; under Part 142,
    // 30 in devices.
    {
      code: 'IR.INSTRUMENT',
      label: 'Actual or simulated instrument time',
      deciHours: 400,
      simulatorBps: 5000,
      devices: [{ kinds: ['batd'], bps: 2500 }],
      experience: true,
    },
    { code: 'IR.DUAL', label: 'Instrument training from an authorized instructor', deciHours: 150 },
    { code: 'IR.TEST_PREP', label: 'Practical-test preparation', deciHours: 30, simulatorBps: 0, months: 2 },
    {
      code: 'IR.LONG_XC',
      label: 'IFR cross-country of 250 NM, an approach at each airport, three kinds of approach',
      count: 1,
      simulatorBps: 0,
    },
  ],
  stages: [
    {
      name: 'Stage 1: attitude instrument flying',
      objective: 'The student controls the airplane by its instruments, with some of them lost too.',
      lessons: [
        ground('Instruments, systems and regulations', 20, ['IR.I.A', 'IR.II.A', 'IR.II.B']),
        sim('Basic attitude flying', ['IR.IV.A'], instrument),
        dual('Attitude flying in the airplane', 15, ['IR.II.C', 'IR.IV.A', 'IR.VIII.A']),
        sim('Partial panel', ['IR.IV.A', 'IR.VII.D'], instrument),
        dual('Unusual attitudes and partial panel', 15, ['IR.IV.A', 'IR.IV.B']),
        check('Stage check: attitude flying', 13, ['IR.II.C', 'IR.IV.A', 'IR.IV.B']),
      ],
    },
    {
      name: 'Stage 2: navigation and holding',
      objective: 'The student navigates by the aids at hand, holds, and complies with clearances.',
      lessons: [
        ground('Air traffic control, charts and clearances', 20, ['IR.III.A', 'IR.III.B', 'IR.V.A', 'IR.V.B']),
        dual('Intercepting and tracking', 15, ['IR.V.A']),
        sim('Holding', ['IR.III.B', 'IR.V.A'], instrument),
        dual('Holding in the airplane', 15, ['IR.III.A', 'IR.III.B']),
        dual('Departures, en route and arrivals', 16, ['IR.III.A', 'IR.V.A', 'IR.V.B']),
      ],
    },
    {
      name: 'Stage 3: approaches',
      objective: 'The student flies each kind of approach to a landing or a missed approach.',
      lessons: [
        ground('Approach procedures and minimums', 20, ['IR.VI.A', 'IR.VI.B', 'IR.VI.C', 'IR.VI.D']),
        sim('Precision and nonprecision approaches', ['IR.VI.A', 'IR.VI.B', 'IR.VI.C'], instrument),
        dual('Precision approaches', 15, ['IR.VI.B', 'IR.VI.C', 'IR.VI.E']),
        dual('Nonprecision approaches', 15, ['IR.VI.A', 'IR.VI.C', 'IR.VI.E']),
        dual('Circling and missed approaches', 15, ['IR.VI.C', 'IR.VI.D']),
        sim('Approaches with failures', ['IR.VII.A', 'IR.VII.D'], instrument),
        check('Stage check: approaches', 15, ['IR.III.B', 'IR.VI.A', 'IR.VI.B', 'IR.VI.C']),
      ],
    },
    {
      name: 'Stage 4: cross-country and preparation of the practical test',
      objective: 'The student plans and flies under instrument flight rules from gate to gate.',
      lessons: [
        ground('Weather and planning under instrument flight rules', 20, ['IR.I.B', 'IR.I.C']),
        // The student is rated and manipulates the controls, so this is a cross-country as pilot in command:
        // 61.51(e)(1)(i).
        dual('IFR cross-country of 250 NM', 40, ['IR.I.C', 'IR.III.A', 'IR.V.B', 'IR.VI.A', 'IR.VI.B'], {
          'IR.LONG_XC': 1,
          'IR.PIC_XC': 'pic',
          'IR.PIC_XC_AIRPLANE': 'pic',
        }),
        dual('Loss of communications and of instruments', 15, ['IR.VII.A', 'IR.VII.D'], prepares),
        dual('Practice test', 18, ['IR.III.A', 'IR.III.B', 'IR.IV.B', 'IR.VI.A', 'IR.VI.B', 'IR.VI.D'], prepares),
        check('Final stage check', 15, ['IR.I.A', 'IR.III.A', 'IR.IV.B', 'IR.VI.A', 'IR.VI.B', 'IR.VII.D'], prepares),
      ],
    },
  ],
}
