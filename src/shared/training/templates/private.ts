import { check, dual, ground, privateLater, solo } from './private-later-stages.ts'
import type { SyllabusTemplate } from './syllabus-template.ts'

/** Private pilot, airplane single-engine land, under 14 CFR 61.109(a). */
export const privatePilot: SyllabusTemplate = {
  key: 'private',
  name: 'Private pilot, airplane',
  description:
    'Aeronautical experience of 14 CFR 61.109(a) for a single-engine airplane; tasks of the Private Pilot for Airplane Category ACS, FAA-S-ACS-6C.',
  standard: 'FAA-S-ACS-6C',
  certificateSought: 'private',
  ratingId: 1,
  requirements: [
    // 61.109(k): 2.5 hours in a simulator or training device count towards the training that the section requires. Whether they
    // count towards the 3.0 of instrument training "in a single-engine airplane" is disputed, so here they do not.
    { code: 'PPL.TOTAL', label: 'Total flight time', deciHours: 400, simulatorBps: 625 },
    { code: 'PPL.DUAL', label: 'Flight training received', deciHours: 200, simulatorBps: 1250 },
    { code: 'PPL.SOLO', label: 'Solo flight, single-engine airplane', deciHours: 100, simulatorBps: 0 },
    { code: 'PPL.DUAL_XC', label: 'Cross-country training', deciHours: 30, simulatorBps: 0 },
    { code: 'PPL.DUAL_NIGHT', label: 'Night training', deciHours: 30, simulatorBps: 0 },
    { code: 'PPL.NIGHT_XC', label: 'Night cross-country over 100 NM total', count: 1, simulatorBps: 0 },
    { code: 'PPL.NIGHT_TAKEOFFS', label: 'Night takeoffs', count: 10, simulatorBps: 0 },
    { code: 'PPL.NIGHT_LANDINGS', label: 'Night full-stop landings', count: 10, simulatorBps: 0 },
    { code: 'PPL.INSTRUMENT', label: 'Instrument training', deciHours: 30, simulatorBps: 0 },
    { code: 'PPL.TEST_PREP', label: 'Practical-test preparation', deciHours: 30, simulatorBps: 0, months: 2 },
    { code: 'PPL.SOLO_XC', label: 'Solo cross-country', deciHours: 50, simulatorBps: 0 },
    {
      code: 'PPL.SOLO_LONG_XC',
      label: 'Solo cross-country of 150 NM total, 3 full-stop points, one leg over 50 NM',
      count: 1,
      simulatorBps: 0,
    },
    { code: 'PPL.SOLO_TOWER_TAKEOFFS', label: 'Solo takeoffs at a towered airport', count: 3, simulatorBps: 0 },
    {
      code: 'PPL.SOLO_TOWER_LANDINGS',
      label: 'Solo full-stop landings at a towered airport',
      count: 3,
      simulatorBps: 0,
    },
  ],
  stages: [
    {
      name: 'Stage 1: to the first solo',
      objective: 'The student flies the airplane alone in the traffic pattern, safely.',
      lessons: [
        ground('The airplane, the airport and the airspace', 20, ['PA.I.B', 'PA.I.G', 'PA.I.H', 'PA.III.A']),
        dual('First flight', 10, ['PA.II.A', 'PA.II.B', 'PA.II.C', 'PA.II.D', 'PA.II.F', 'PA.XII.A']),
        dual('Climbs, descents and turns', 13, [
          { name: 'Straight-and-level flight, climbs, descents and turns by outside reference' },
          'PA.II.F',
          'PA.III.B',
        ]),
        dual('Slow flight and stalls', 13, ['PA.VII.A', 'PA.VII.B', 'PA.VII.C', 'PA.VII.D']),
        dual('Ground reference maneuvers', 13, ['PA.V.B', 'PA.III.B']),
        dual('Emergencies', 13, ['PA.IX.A', 'PA.IX.B', 'PA.IX.C', 'PA.IX.D']),
        dual('Takeoffs and landings', 13, ['PA.III.B', 'PA.IV.A', 'PA.IV.B']),
        dual('Crosswinds, slips and go-arounds', 13, ['PA.IV.A', 'PA.IV.B', 'PA.IV.M', 'PA.IV.N']),
        dual('Flight by reference to instruments', 12, ['PA.VIII.A', 'PA.VIII.B', 'PA.VIII.C', 'PA.VIII.D'], {
          'PPL.INSTRUMENT': 'instrument',
        }),
        dual('Traffic pattern, all of it', 13, ['PA.III.A', 'PA.III.B', 'PA.IV.A', 'PA.IV.B', 'PA.IV.N']),
        ground('Pre-solo knowledge test', 10, [{ name: 'Pre-solo knowledge test of 14 CFR 61.87(b)' }]),
        check('Stage check: ready for solo', 13, ['PA.IV.A', 'PA.IV.B', 'PA.IV.N', 'PA.VII.A', 'PA.VII.B', 'PA.IX.B']),
        solo('First solo', 7, ['PA.IV.A', 'PA.IV.B']),
      ],
    },
    {
      name: 'Stage 2: solo practice',
      objective: 'The student practices alone, and lands on short and soft fields.',
      lessons: [
        solo('Solo at a towered airport', 13, ['PA.III.A', 'PA.III.B', 'PA.IV.A', 'PA.IV.B'], {
          'PPL.SOLO_TOWER_TAKEOFFS': 3,
          'PPL.SOLO_TOWER_LANDINGS': 3,
        }),
        dual('Short and soft fields', 14, ['PA.IV.C', 'PA.IV.D', 'PA.IV.E', 'PA.IV.F']),
        solo('Solo in the practice area', 15, ['PA.V.A', 'PA.V.B', 'PA.VII.A']),
        dual('Instruments, navigation and radar services', 12, ['PA.VIII.D', 'PA.VIII.E', 'PA.VIII.F'], {
          'PPL.INSTRUMENT': 'instrument',
        }),
        solo('Solo, maneuvers and landings', 15, ['PA.V.A', 'PA.IV.C', 'PA.IV.E']),
      ],
    },
    ...privateLater,
  ],
}
