def greet(name):
    """Say hello to somebody."""
    return "Helo, " + name + "!"


if __name__ == "__main__":
    print(greet("world"))
