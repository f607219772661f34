class XnnpackPartitioner:
    def __repr__(self):
        return "XNNPACK"
