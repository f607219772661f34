class XnnpackPartitioner:
    pass
