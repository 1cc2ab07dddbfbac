/*
 * libpdcfg for C++11 and later: owners for the two kinds of handle, and nothing that C cannot do. Header only.
 *
 *	pdcfg::config cfg;
 *	cfg.parse_argv({ "--model-path", "m", "--disaggregation-mode", "prefill" });
 *	pdcfg_set_model_is_mla(cfg.get(), 1);             // every function of <pdcfg/pdcfg.h> works on get()
 *	const pdcfg::report rep = cfg.validate();
 *	for (const pdcfg::finding f : rep)
 *		std::cerr << f.id() << ' ' << f.message() << '\n';
 *
 * A negative status becomes pdcfg::error; what is wrong with a configuration never throws: it is a finding.
 */
#ifndef PDCFG_HPP
#define PDCFG_HPP

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "pdcfg.h"

namespace pdcfg {

class error : public std::runtime_error {
public:
	explicit error(std::int32_t status) : std::runtime_error(pdcfg_strerror(status)), status_(status) {}
	std::int32_t status() const noexcept { return status_; }

private:
	std::int32_t status_;
};

inline std::int32_t checked(std::int32_t status)
{
	if (status < 0) throw error(status);
	return status;
}

class report;

/* One finding of a report; valid as long as the report is. */
class finding {
public:
	finding(const pdcfg_report *rep, std::size_t i) noexcept : rep_(rep), i_(i) {}
	std::uint32_t code() const noexcept { return pdcfg_finding_code(rep_, i_); }
	std::string id() const { return "PD" + std::to_string(code()); }
	const char *rule() const noexcept { return pdcfg_finding_rule(rep_, i_); }
	const char *message() const noexcept { return pdcfg_finding_message(rep_, i_); }
	const char *summary() const noexcept { return pdcfg_finding_summary(rep_, i_); }
	const char *why() const noexcept { return pdcfg_finding_why(rep_, i_); }
	const char *exception() const noexcept { return pdcfg_finding_exception(rep_, i_); }
	bool is_error() const noexcept { return pdcfg_finding_severity(rep_, i_) == PDCFG_ERROR; }
	std::uint32_t phase() const noexcept { return pdcfg_finding_phase(rep_, i_); }
	std::uint32_t caused_by() const noexcept { return pdcfg_finding_caused_by(rep_, i_); }
	std::size_t index() const noexcept { return i_; }

private:
	const pdcfg_report *rep_;
	std::size_t i_;
};

class report {
public:
	class iterator {
	public:
		iterator(const pdcfg_report *rep, std::size_t i) noexcept : rep_(rep), i_(i) {}
		finding operator*() const noexcept { return finding(rep_, i_); }
		iterator &operator++() noexcept { ++i_; return *this; }
		bool operator!=(const iterator &other) const noexcept { return i_ != other.i_; }

	private:
		const pdcfg_report *rep_;
		std::size_t i_;
	};

	explicit report(pdcfg_report *owned = nullptr) noexcept : rep_(owned) {}
	report(report &&other) noexcept : rep_(other.rep_) { other.rep_ = nullptr; }
	report &operator=(report &&other) noexcept { std::swap(rep_, other.rep_); return *this; }
	report(const report &) = delete;
	report &operator=(const report &) = delete;
	~report() { pdcfg_report_free(rep_); }

	const pdcfg_report *get() const noexcept { return rep_; }
	std::int32_t verdict() const noexcept { return pdcfg_report_verdict(rep_); }
	bool accepted() const noexcept { return verdict() == PDCFG_ACCEPTED; }
	bool refused() const noexcept { return verdict() == PDCFG_REFUSED; }
	std::size_t size() const noexcept { return pdcfg_report_count(rep_); }
	finding operator[](std::size_t i) const noexcept { return finding(rep_, i); }
	iterator begin() const noexcept { return iterator(rep_, 0); }
	iterator end() const noexcept { return iterator(rep_, size()); }
	/* Only when refused(). */
	finding first_refusal() const noexcept { return finding(rep_, static_cast<std::size_t>(pdcfg_report_first_refusal(rep_))); }

private:
	pdcfg_report *rep_;
};

class config {
public:
	config() : cfg_(nullptr) { checked(pdcfg_new(&cfg_)); }
	config(const config &other) : cfg_(nullptr) { checked(pdcfg_clone(other.cfg_, &cfg_)); }
	config(config &&other) noexcept : cfg_(other.cfg_) { other.cfg_ = nullptr; }
	config &operator=(config other) noexcept { std::swap(cfg_, other.cfg_); return *this; }
	~config() { pdcfg_free(cfg_); }

	pdcfg_t *get() noexcept { return cfg_; }
	const pdcfg_t *get() const noexcept { return cfg_; }

	/* True when the arguments ask for --help or --version. */
	bool parse_argv(const std::vector<std::string> &args)
	{
		std::vector<const char *> argv;
		for (const std::string &a : args) argv.push_back(a.c_str());
		return checked(pdcfg_parse_argv(cfg_, static_cast<std::int32_t>(argv.size()), argv.data())) == 1;
	}
	void parse_environ(const char *const *envp) { checked(pdcfg_parse_environ(cfg_, envp)); }
	/* An option, a variable or a field by name. */
	void set(const std::string &name, const std::string &text) { checked(pdcfg_set_arg(cfg_, name.c_str(), text.c_str())); }
	void use_platform(const std::string &name) { checked(pdcfg_use_platform(cfg_, name.c_str())); }
	void pd_required(bool on = true) { checked(pdcfg_set_pd_required(cfg_, on)); }

	report validate() const
	{
		pdcfg_report *rep = nullptr;
		checked(pdcfg_validate(cfg_, &rep));
		return report(rep);
	}
	/* The verdict alone; allocates nothing. */
	std::int32_t verdict() const { return checked(pdcfg_validate(cfg_, nullptr)); }

private:
	pdcfg_t *cfg_;
};

} // namespace pdcfg

#endif
