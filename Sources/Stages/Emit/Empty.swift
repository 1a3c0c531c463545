import PumpModel
