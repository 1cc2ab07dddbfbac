// A C++ launcher or agent, through the RAII header.
#include <pdcfg/pdcfg.hpp>
#include <iostream>

static void print_first(const char *name, const pdcfg::config &c)
{
	const pdcfg::report rep = c.validate();
	if (!rep.refused()) {
		std::cout << name << "\tnothing\n";
		return;
	}
	const pdcfg::finding f = rep.first_refusal();
	std::cout << name << '\t' << f.id() << '\t' << f.exception() << '\t' << f.message() << '\n';
}

int main()
{
#define CASE(name, settings) \
	{ \
		pdcfg::config c; \
		pdcfg_t *const cfg = c.get(); \
		settings; \
		const pdcfg::config copy(c); \
		print_first(#name, copy); \
	}
#include "cases.inc"
	try {
		pdcfg::config c;
		c.set("--no-such-option", "1");
		return 1;
	} catch (const pdcfg::error &e) {
		return e.status() == PDCFG_E_KEY ? 0 : 1;
	}
}
