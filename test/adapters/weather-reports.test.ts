import { describe, expect, test } from 'vitest'
import { readMetar, readTaf } from '../../src/shared/platform/adapters/weather/read-reports.ts'
import { ceilingOf, flightCategory } from '../../src/shared/scheduling/weather/weather.rules.ts'

const NEAR = new Date('2026-11-21T20:00:41.123Z')

/** The text, the ceiling in feet, the visibility in statute miles to two decimals, and the category of both by hand. */
type Expected = [raw: string, ceiling: number | 'unknown' | null, miles: number | null, category: string | null]

const metars: Expected[] = [
  ['METAR KHWD 211954Z 28008KT 10SM FEW012 BKN035 18/11 A3002 RMK AO2 SLP164 T01830111', 3500, 10, 'VFR'],
  ['METAR KSFO 211956Z 29014G21KT 9SM SCT008 BKN012 16/11 A3003 RMK AO2 SLP167 T01610111', 1200, 9, 'MVFR'],
  ['METAR KOAK 211953Z 27010KT 10SM FEW010 SCT200 18/11 A3002 RMK AO2 SLP163 T01780111', null, 10, 'VFR'],
  ['METAR KHAF 211955Z AUTO 00000KT 1/4SM FG VV002 12/12 A3004 RMK AO1', 200, 0.25, 'LIFR'],
  ['METAR KMRY 211953Z 26004KT 2SM BR OVC006 13/12 A3003 RMK AO2 SLP168', 600, 2, 'IFR'],
  ['METAR KSQL 211947Z 30006KT 4SM HZ CLR 19/10 A3001', null, 4, 'MVFR'],
  ['METAR KRNO 211955Z 24012G20KT 10SM SCT120 BKN200 15/M04 A3008 RMK AO2 SLP171 T01501039', 20000, 10, 'VFR'],
  ['METAR KJFK 211951Z 04015G22KT 3/4SM R04R/4500VP6000FT -RA BR BKN005 OVC010 11/10 A2970 RMK AO2', 500, 0.75, 'LIFR'],
  ['METAR KLGA 211951Z 05012KT 3SM -RA BR BKN009 OVC015 11/10 A2971 RMK AO2 RAB25 P0003', 900, 3, 'IFR'],
  ['METAR KEWR 211951Z 04010KT 3SM BR OVC010 10/09 A2972 RMK AO2', 1000, 3, 'MVFR'],
  ['METAR KTEB 211951Z 04008KT 5SM BR OVC030 10/08 A2972 RMK AO2', 3000, 5, 'MVFR'],
  ['METAR KHPN 211956Z 04008KT 6SM BR OVC031 10/08 A2972 RMK AO2', 3100, 6, 'VFR'],
  ['METAR KBOS 211954Z VRB03KT 7SM -SN BKN040 OVC060 M01/M04 A3011 RMK AO2 SNB32 P0000', 4000, 7, 'VFR'],
  ['METAR KPWM 211951Z 02012KT 1/2SM SN FZFG VV005 M02/M03 A2990 RMK AO2 P0002', 500, 0.5, 'LIFR'],
  ['METAR KBTV 211954Z 33008KT 1 1/2SM -SN BR BKN014 OVC020 M03/M05 A2995 RMK AO2', 1400, 1.5, 'IFR'],
  ['METAR KALB 211951Z 30010KT 2 1/2SM -SN OVC018 M02/M05 A2994 RMK AO2', 1800, 2.5, 'IFR'],
  ['SPECI KORD 212012Z 36018G28KT 1SM R10L/5500VP6000FT -SN BR OVC009 M01/M02 A2985 RMK AO2', 900, 1, 'IFR'],
  ['SPECI KDEN 211230Z 36015G25KT M1/4SM R35L/1000V1600FT +SN FZFG VV001 M05/M06 A2990 RMK AO2', 100, 0.25, 'LIFR'],
  ['METAR KMKE 211952Z 35015KT 10SM OVC028 03/M01 A2992 RMK AO2 SLP137', 2800, 10, 'MVFR'],
  ['METAR KMSP 211953Z 31009KT 10SM OVC005 01/M01 A2999 RMK AO2', 500, 10, 'IFR'],
  ['METAR KDLH 211955Z 32011KT 10SM OVC004 M02/M03 A3001 RMK AO2', 400, 10, 'LIFR'],
  ['METAR KSEA 211953Z 18009KT 10SM -RA FEW011 BKN023 OVC037 09/07 A2986 RMK AO2 P0001', 2300, 10, 'MVFR'],
  ['METAR KPDX 211953Z 10012KT 8SM -RA SCT018 BKN033 OVC055 08/06 A2987 RMK AO2', 3300, 8, 'VFR'],
  ['METAR KACV 211953Z AUTO 15006KT 1 3/4SM BR OVC003 11/11 A2995 RMK AO2', 300, 1.75, 'LIFR'],
  ['METAR KSTS 211953Z AUTO 00000KT 2 1/2SM BR SCT004 BKN009 12/11 A3005 RMK AO2', 900, 2.5, 'IFR'],
  ['METAR KLAX 211953Z 25008KT 3SM HZ SCT010 16/13 A3000 RMK AO2 SLP157', null, 3, 'MVFR'],
  ['METAR KSAN 211951Z 29009KT 10SM SKC 19/12 A3001 RMK AO2', null, 10, 'VFR'],
  ['METAR KPHX 211951Z 09005KT 10SM FEW250 24/02 A2999 RMK AO2 SLP141 T02440017', null, 10, 'VFR'],
  ['METAR KLAS 211956Z 03011KT 10SM BKN250 18/M03 A3005 RMK AO2', 25000, 10, 'VFR'],
  ['METAR KABQ 211952Z 27022G38KT 2SM BLDU SCT100 17/M08 A2968 RMK AO2 PK WND 27041/1938', null, 2, 'IFR'],
  ['METAR KDFW 211953Z 17016G24KT 10SM FEW025TCU BKN035CB OVC080 24/20 A2976 RMK AO2 CB W MOV E', 3500, 10, 'VFR'],
  [
    'SPECI KIAH 212005Z 33025G40KT 1/2SM +TSRA BKN008CB OVC020 19/18 A2980 RMK AO2 FRQ LTGICCG OHD TS OHD',
    800,
    0.5,
    'LIFR',
  ],
  ['METAR KMIA 211953Z 08012KT 10SM VCTS SCT025CB SCT050 28/23 A3001 RMK AO2', null, 10, 'VFR'],
  ['METAR KTPA 211953Z 22006KT 5SM HZ FEW030 BKN150 27/22 A3004 RMK AO2', 15000, 5, 'MVFR'],
  ['METAR KATL 211952Z 00000KT 1/8SM R08L/0800V1200FT FG OVC001 14/14 A3012 RMK AO2', 100, 0.13, 'LIFR'],
  ['METAR KCLT 211952Z 21004KT 4SM BR SCT007 BKN012 OVC250 16/15 A3010 RMK AO2', 1200, 4, 'MVFR'],
  ['METAR PANC 211953Z 01006KT 10SM FEW035 SCT090 M12/M16 A2950 RMK AO2', null, 10, 'VFR'],
  ['METAR PAJN 211953Z 09018G30KT 2SM RA BR BKN012 OVC019 06/05 A2949 RMK AO2', 1200, 2, 'IFR'],
  ['METAR PHNL 211953Z 06013G22KT 10SM FEW025 SCT045 28/19 A3006 RMK AO2', null, 10, 'VFR'],
  ['METAR CYVR 212000Z 09006KT 15SM FEW020 OVC110 10/08 A2998 RMK SC1AC7 SLP155', 11000, 15, 'VFR'],
  ['METAR CYYZ 212000Z 33012KT 1/2SM R23/3500FT SN BLSN VV004 M06/M08 A2982 RMK SN8 SLP108', 400, 0.5, 'LIFR'],
  // Metres become statute miles of 1609.344 m: 8000 m are 4.97, 5000 m 3.11, 4000 m 2.49, 1500 m 0.93.
  ['METAR EGLL 211950Z AUTO 24012KT 9999 -RA BKN008 OVC015 12/10 Q1009 TEMPO 4000 RA BKN004', 800, 6.21, 'IFR'],
  ['METAR EDDF 211950Z 24005KT CAVOK 20/08 Q1020 NOSIG', null, 6.21, 'VFR'],
  ['METAR EDDM 211950Z 27004KT 8000 FEW040 09/07 Q1024 NOSIG', null, 4.97, 'MVFR'],
  ['METAR LSZH 211950Z 24003KT 5000 BR SCT012 BKN035 07/06 Q1022 NOSIG', 3500, 3.11, 'MVFR'],
  ['METAR LOWW 211950Z 31007KT 4000 -DZ BR OVC007 06/05 Q1021 BECMG OVC012', 700, 2.49, 'IFR'],
  ['METAR LFPG 211930Z 20003KT 0350 R26R/0600N R27L/0550N FG VV/// 04/04 Q1030 NOSIG', 'unknown', 0.22, 'LIFR'],
  ['METAR EHAM 211955Z 22015KT 1500 +RA BKN012 OVC020 10/09 Q1001 NOSIG', 1200, 0.93, 'LIFR'],
  ['METAR RJTT 211930Z 02010KT 9999 FEW030 SCT050 14/05 Q1021 NOSIG', null, 6.21, 'VFR'],
  ['METAR YSSY 211930Z 16012KT 9999 SHRA FEW015 BKN028 19/15 Q1013', 2800, 6.21, 'MVFR'],
  ['METAR ULLI 211930Z 20004MPS 9999 OVC009 02/01 Q1011 R88/290060 NOSIG', 900, 6.21, 'IFR'],
  ['METAR ENGM 211950Z AUTO 35006KT 9999 NCD M08/M11 Q1019', null, 6.21, 'VFR'],
  // A missing figure that could make it worse leaves no category.
  ['METAR KHWD 211954Z AUTO 28008KT 10SM 18/11 A3002 RMK AO1', 'unknown', 10, null],
  ['METAR KAPC 211954Z AUTO 20004KT OVC009 12/11 A3005 RMK AO2 VISNO', 900, null, null],
  ['METAR KCCR 211954Z AUTO 20004KT OVC004 12/11 A3005 RMK AO2 VISNO', 400, null, 'LIFR'],
]

describe('a METAR', () => {
  test.each(metars)('is read field by field: %s', (raw, ceiling, miles, category) => {
    const read = readMetar(raw, NEAR)
    if (read === null) throw new Error('not read')
    expect(ceilingOf(read)).toBe(ceiling)
    expect(read.visibility?.statuteMiles ?? null).toBe(miles)
    expect(flightCategory(read)).toBe(category)
  })

  test('tells the wind, the weather, the temperatures and the pressure in units of one kind', () => {
    expect(readMetar('METAR KSFO 211956Z 29014G21KT 9SM -RA BR SCT008 BKN012 16/M01 A3003', NEAR)).toEqual({
      observedAt: new Date('2026-11-21T19:56:00Z'),
      wind: { degrees: 290, knots: 14, gustKnots: 21 },
      visibility: { statuteMiles: 9, bound: null },
      weather: ['-RA', 'BR'],
      clouds: [
        { cover: 'SCT', baseFeet: 800 },
        { cover: 'BKN', baseFeet: 1200 },
      ],
      skyKnown: true,
      verticalVisibility: null,
      temperatureCelsius: 16,
      dewPointCelsius: -1,
      // 30.03 inches of 33.8639 hPa are 1016.9 hPa.
      altimeterHectopascals: 1017,
    })
    // 4 m/s are 7.8 knots; a variable wind has no direction.
    expect(readMetar('METAR ULLI 211930Z 20004MPS CAVOK 02/01 Q1011', NEAR)?.wind?.knots).toBe(8)
    expect(readMetar('METAR KBOS 211954Z VRB03KT 10SM CLR 01/M04 A3011', NEAR)?.wind?.degrees).toBe(null)
  })

  test('of the end of a month is of the month before, when it is read in the next one', () => {
    const read = readMetar('METAR KHWD 312354Z 28008KT 10SM CLR 18/11 A3002', new Date('2026-11-01T00:10:00Z'))
    expect(read?.observedAt).toEqual(new Date('2026-10-31T23:54:00Z'))
  })

  test.each(['', 'nonsense', '<html>Bad gateway</html>', 'METAR', 'METAR KHWD'])(
    'that is none is not read: %j',
    (raw) => {
      expect(readMetar(raw, NEAR)).toBe(null)
    },
  )
})

const tafs: [raw: string, periods: [change: string, from: string, to: string | null, category: string | null][]][] = [
  [
    'TAF KHWD 211730Z 2118/2218 28008KT P6SM FEW015 FM220200 25006KT 5SM BR BKN008',
    [
      ['initial', '21T18:00', null, 'VFR'],
      ['FM', '22T02:00', null, 'IFR'],
    ],
  ],
  [
    'TAF KSFO 211720Z 2118/2224 29015G22KT P6SM BKN012 FM220200 28009KT 6SM BR OVC008 FM221800 29012KT P6SM SCT010',
    [
      ['initial', '21T18:00', null, 'MVFR'],
      ['FM', '22T02:00', null, 'IFR'],
      ['FM', '22T18:00', null, 'VFR'],
    ],
  ],
  [
    'TAF KMRY 211720Z 2118/2218 26004KT 2SM BR OVC006 TEMPO 2118/2122 1/2SM FG VV002',
    [
      ['initial', '21T18:00', null, 'IFR'],
      ['TEMPO', '21T18:00', '21T22:00', 'LIFR'],
    ],
  ],
  [
    'TAF KJFK 211720Z 2118/2224 05015G25KT 3SM RA BR OVC008 FM220600 34012KT P6SM SCT035',
    [
      ['initial', '21T18:00', null, 'IFR'],
      ['FM', '22T06:00', null, 'VFR'],
    ],
  ],
  [
    'TAF KDEN 211720Z 2118/2224 18010KT P6SM SCT120 FM220100 36020G30KT 1SM -SN BLSN OVC015',
    [
      ['initial', '21T18:00', null, 'VFR'],
      ['FM', '22T01:00', null, 'IFR'],
    ],
  ],
  [
    'TAF KORD 211720Z 2118/2224 36015KT 1/2SM SN VV004 PROB30 2200/2204 2SM -SN OVC010',
    [
      ['initial', '21T18:00', null, 'LIFR'],
      ['PROB', '22T00:00', '22T04:00', 'IFR'],
    ],
  ],
  [
    'TAF KMIA 211720Z 2118/2224 09012KT P6SM SCT030 TEMPO 2119/2123 4SM TSRA BKN020CB',
    [
      ['initial', '21T18:00', null, 'VFR'],
      ['TEMPO', '21T19:00', '21T23:00', 'MVFR'],
    ],
  ],
  ['TAF KPHX 211720Z 2118/2224 09006KT P6SM SKC', [['initial', '21T18:00', null, 'VFR']]],
  [
    'TAF EGLL 211700Z 2118/2224 24012KT 9999 BKN014 BECMG 2121/2124 BKN030',
    [
      ['initial', '21T18:00', null, 'MVFR'],
      ['BECMG', '21T21:00', '22T00:00', null],
    ],
  ],
  [
    'TAF EDDF 211700Z 2118/2224 24005KT CAVOK BECMG 2200/2203 3000 BR OVC008',
    [
      ['initial', '21T18:00', null, 'VFR'],
      ['BECMG', '22T00:00', '22T03:00', 'IFR'],
    ],
  ],
  [
    'TAF AMD KBOS 211912Z 2119/2224 04012KT 6SM -SN OVC020 FM220300 35010KT P6SM OVC040',
    [
      ['initial', '21T19:00', null, 'MVFR'],
      ['FM', '22T03:00', null, 'VFR'],
    ],
  ],
  [
    'TAF KSEA 211720Z 2118/2224 18010KT P6SM -RA BKN025 OVC040 FM220800 16006KT 5SM BR OVC009',
    [
      ['initial', '21T18:00', null, 'MVFR'],
      ['FM', '22T08:00', null, 'IFR'],
    ],
  ],
]

describe('a TAF', () => {
  test.each(tafs)('is read period by period: %s', (raw, periods) => {
    const read = readTaf(raw, NEAR)
    if (read === null) throw new Error('not read')
    const short = (instant: Date | null) => instant?.toISOString().slice(8, 16) ?? null
    expect(
      read.periods.map((period) => [period.change, short(period.from), short(period.to), flightCategory(period)]),
    ).toEqual(periods)
  })

  test('tells when it was issued, for how long it holds, and how probable a change is', () => {
    const read = readTaf('TAF KORD 211720Z 2118/2224 36015KT P6SM SKC PROB30 2200/2204 2SM -SN OVC010', NEAR)
    expect(read).toMatchObject({
      issuedAt: new Date('2026-11-21T17:20:00Z'),
      from: new Date('2026-11-21T18:00:00Z'),
      to: new Date('2026-11-23T00:00:00Z'),
    })
    expect(read?.periods[1]).toMatchObject({ probability: 30, weather: ['-SN'] })
  })

  test.each(['', 'nonsense', 'TAF KHWD'])('that is none is not read: %j', (raw) => {
    expect(readTaf(raw, NEAR)).toBe(null)
  })
})
