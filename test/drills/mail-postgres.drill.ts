import { drillStops } from './mail-faults.ts'

drillStops('postgres')
